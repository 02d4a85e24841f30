import { onFirstUse } from './onFirstUse.ts'

const NUMBER = onFirstUse(() => new Intl.NumberFormat('en-SG'))

/** `2,214` */
export const formatCount = (count: number): string => NUMBER().format(count)

/** `1 voucher`, `2,214 vouchers`, `3 branches`. */
export const pluralize = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
