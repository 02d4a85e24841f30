import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { day, guid, isCalendarDay } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { cents, MESSAGES, month, withErrorCode } from '../wireFields.ts'

export const REPORT_FORMATS = ['csv', 'xlsx'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

/** The filters of every report, and the format of its file, CSV by default. */
const choices = {
  branch_guid: v.optional(v.nullable(guid), null),
  pos_guid: v.optional(v.nullable(guid), null),
  denomination_cents: v.optional(v.nullable(cents), null),
  format: v.optional(v.picklist(REPORT_FORMATS), 'csv'),
}

interface Period {
  from: string
  to: string
}

/** Makes a rule about two days pass while one of them is not a real day: that day has its own message. */
const whenBothAreDays =
  (rule: (period: Period) => boolean) =>
  (period: Period): boolean =>
    !isCalendarDay(period.from) || !isCalendarDay(period.to) || rule(period)

const inOrder = whenBothAreDays(({ from, to }) => from <= to)

const withinWindow = withErrorCode(
  'DATE_RANGE_EXCEEDED',
  whenBothAreDays(({ from, to }) => to <= lastDayOfWindow(from, LIMITS.transactionReportMonths)),
)

/** One row for each redemption. Both days are Singapore days and included; at most 2 months (rule 10.1). */
export const TransactionReportRequest = v.pipe(
  v.strictObject({ from: day, to: day, ...choices }),
  v.forward(v.partialCheck([['from'], ['to']], inOrder, 'must not be before From'), ['to']),
  v.forward(
    v.partialCheck([['from'], ['to']], withinWindow, MESSAGES.dateRange(`${LIMITS.transactionReportMonths} months`)),
    ['to'],
  ),
)
export type TransactionReportRequest = v.InferOutput<typeof TransactionReportRequest>

interface Months {
  from_month: string
  to_month: string
}

const whenBothAreMonths = (rule: (months: Months) => boolean) => {
  const ofDays = whenBothAreDays(({ from, to }) => rule({ from_month: from.slice(0, 7), to_month: to.slice(0, 7) }))
  return ({ from_month, to_month }: Months) => ofDays({ from: `${from_month}-01`, to: `${to_month}-01` })
}

const monthsInOrder = whenBothAreMonths(({ from_month, to_month }) => from_month <= to_month)

const monthsWithinWindow = withErrorCode(
  'DATE_RANGE_EXCEEDED',
  whenBothAreMonths(
    ({ from_month, to_month }) => to_month <= lastMonthOfWindow(from_month, LIMITS.monthlyReportMonths),
  ),
)

/** One row for each month, branch and denomination. Both months are included; at most one year (rule 10.2). */
export const MonthlyReportRequest = v.pipe(
  v.strictObject({ from_month: month, to_month: month, ...choices }),
  v.forward(v.partialCheck([['from_month'], ['to_month']], monthsInOrder, 'must not be before From'), ['to_month']),
  v.forward(v.partialCheck([['from_month'], ['to_month']], monthsWithinWindow, MESSAGES.dateRange('one year')), [
    'to_month',
  ]),
)
export type MonthlyReportRequest = v.InferOutput<typeof MonthlyReportRequest>

/** One row for each branch, POS user and denomination of one Singapore day, to compare with the tills. */
export const DailyReportRequest = v.strictObject({ day, ...choices })
export type DailyReportRequest = v.InferOutput<typeof DailyReportRequest>

const file = {
  base: 'reporting',
  method: 'POST',
  access: { feature: 'reports', action: 'download' },
  headers: ['login-type'],
  // XLSX comes first: some client generators read only the first type, and its bytes can hold text, too.
  answer: { file: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'text/csv'] },
} as const

export const transactionReport = endpoint({
  ...file,
  path: '/report/merchant/transaction_report',
  summary: 'Redeemed vouchers of at most 2 months as CSV or XLSX',
  body: TransactionReportRequest,
  errors: ['DATE_RANGE_EXCEEDED', 'TOO_MANY_REPORTS'],
})

export const monthlyReport = endpoint({
  ...file,
  path: '/report/monthly_report',
  summary: 'Redeemed vouchers of at most one year by month, branch and denomination, as CSV or XLSX',
  body: MonthlyReportRequest,
  errors: ['DATE_RANGE_EXCEEDED', 'TOO_MANY_REPORTS'],
})

export const dailyReport = endpoint({
  ...file,
  path: '/report/daily_report',
  summary: 'Redeemed vouchers of one day by branch, POS user and denomination, as CSV or XLSX',
  body: DailyReportRequest,
  errors: ['TOO_MANY_REPORTS'],
})

/**
 * A report by name and parameters, for a preview and for the queue on the device, which never stores a whole request: the token is added when it is
 * sent. Names may be added but never removed, because a device that was offline for long must still read its stored requests.
 */
export const ReportRequest = v.variant('report', [
  v.strictObject({ report: v.literal('transaction'), params: TransactionReportRequest }),
  v.strictObject({ report: v.literal('monthly'), params: MonthlyReportRequest }),
  v.strictObject({ report: v.literal('daily'), params: DailyReportRequest }),
])
export type ReportRequest = v.InferOutput<typeof ReportRequest>

/** Returns the last Singapore day of a window of `months` that starts on `from`: the same day of the month, clamped to the month's end (RPT-05). */
export function lastDayOfWindow(from: string, months: number): string {
  const [year, monthNumber, dayOfMonth] = from.split('-').map(Number) as [number, number, number]
  const lastOfMonth = new Date(Date.UTC(year, monthNumber - 1 + months + 1, 0)).getUTCDate()
  const end = Date.UTC(year, monthNumber - 1 + months, Math.min(dayOfMonth, lastOfMonth))
  return new Date(end).toISOString().slice(0, 10)
}

/** Returns the last month of a window of `months` whole months that starts with the month `from`. */
export const lastMonthOfWindow = (from: string, months: number): string =>
  lastDayOfWindow(`${from}-01`, months - 1).slice(0, 7)
