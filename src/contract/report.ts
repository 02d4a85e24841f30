import * as v from 'valibot'
import { cents, coded, day, guid, isCalendarDay, MESSAGES } from './bricks.ts'
import { endpoint } from './endpoint.ts'
import { LIMITS } from './limits.ts'

/** The last Singapore day of a window of `months` that starts on `from`: same day of the month, clamped to its end (cases RPT-05). */
export function lastDayOfWindow(from: string, months: number): string {
  const [year, month, dayOfMonth] = from.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  const end = Date.UTC(year, month - 1 + months, Math.min(dayOfMonth, lastOfMonth))
  return new Date(end).toISOString().slice(0, 10)
}

const spelled = `${LIMITS.transactionReportMonths} months`

interface Period {
  from: string
  to: string
}

const judged =
  (rule: (period: Period) => boolean) =>
  (period: Period): boolean =>
    !isCalendarDay(period.from) || !isCalendarDay(period.to) || rule(period)

const inOrder = judged(({ from, to }) => from <= to)
const withinWindow = coded(
  'DATE_RANGE_EXCEEDED',
  judged(({ from, to }) => to <= lastDayOfWindow(from, LIMITS.transactionReportMonths)),
)

/** Both days are included; they are Singapore days. */
export const TransactionReportRequest = v.pipe(
  v.strictObject({
    from: day,
    to: day,
    branch_guid: v.optional(v.nullable(guid), null),
    pos_guid: v.optional(v.nullable(guid), null),
    denomination_cents: v.optional(v.nullable(cents), null),
  }),
  v.forward(v.partialCheck([['from'], ['to']], inOrder, 'must not be before From'), ['to']),
  v.forward(v.partialCheck([['from'], ['to']], withinWindow, MESSAGES.dateRange(spelled)), ['to']),
)
export type TransactionReportRequest = v.InferOutput<typeof TransactionReportRequest>

export const transactionReport = endpoint({
  base: 'reporting',
  method: 'POST',
  path: '/report/merchant/transaction_report',
  access: { feature: 'reports', action: 'download' },
  summary: 'Redeemed vouchers of at most 2 months as CSV',
  headers: ['login-type'],
  body: TransactionReportRequest,
  answer: 'file',
  errors: ['DATE_RANGE_EXCEEDED', 'TOO_MANY_REPORTS'],
})
