let numbers: Intl.NumberFormat | undefined
const spelled = (count: number) => (numbers ??= new Intl.NumberFormat('en-SG')).format(count)

export interface PageOf {
  /** From 1. */
  page: number
  size: number
  total: number
  /** `total` is where the counting stopped. */
  totalCapped?: boolean
}

export const pageCount = ({ size, total }: PageOf) => Math.max(1, Math.ceil(total / size))

/** `1–10 of 1,204`, `1–10 of 10,000+`. `shown` is the number of rows on this page. */
export function rangeText(of: PageOf, shown: number): string {
  if (of.total === 0 || shown === 0) return `0 of ${totalText(of)}`
  const first = (of.page - 1) * of.size + 1
  const last = first + shown - 1
  return `${first === last ? spelled(first) : `${spelled(first)}–${spelled(last)}`} of ${totalText(of)}`
}

export const pageText = (of: PageOf) =>
  `Page ${spelled(of.page)} of ${spelled(pageCount(of))}${of.totalCapped ? '+' : ''}`

const totalText = ({ total, totalCapped }: PageOf) => `${spelled(total)}${totalCapped ? '+' : ''}`
