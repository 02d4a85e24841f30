const NUMBER = new Intl.NumberFormat('en-SG')

/** `1 voucher`, `2,214 vouchers`, `3 branches`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${NUMBER.format(count)} ${count === 1 ? one : many}`
