import { LIMITS } from '../contract/limits.ts'
import { lastDayOfWindow, lastMonthOfWindow } from '../contract/report.ts'
import { addMonths } from './months.ts'
import { addDays } from './singaporeTime.ts'

export interface Span {
  from: string
  to: string
}

/**
 * Both ends included; days cut into as few legal transaction reports as there can be, in order, without a gap or an overlap.
 * A span that runs backwards has none.
 */
export const splitDays = (span: Span): Span[] =>
  split(
    span,
    (from) => lastDayOfWindow(from, LIMITS.transactionReportMonths),
    (end) => addDays(end, 1),
  )

/** The same for the months of monthly reports. */
export const splitMonths = (span: Span): Span[] =>
  split(
    span,
    (from) => lastMonthOfWindow(from, LIMITS.monthlyReportMonths),
    (end) => addMonths(end, 1),
  )

function split({ from, to }: Span, lastFrom: (from: string) => string, after: (end: string) => string): Span[] {
  const parts: Span[] = []
  for (let start = from; start <= to;) {
    const last = lastFrom(start)
    const end = last < to ? last : to
    parts.push({ from: start, to: end })
    start = after(end)
  }
  return parts
}
