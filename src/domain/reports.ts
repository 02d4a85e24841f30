import type { ReportRequest } from '../contract/reports/report.ts'
import { formatCents } from './money.ts'
import { shortened } from './shortened.ts'
import { formatDayRange, formatMonthRange } from './singaporeTime.ts'

export const REPORT_NAMES: Record<ReportRequest['report'], string> = {
  transaction: 'Transaction Report',
  monthly: 'Monthly Report',
  daily: 'Daily Report',
}

/** Returns for example `1–21 Nov 2026`, for the screen and the head of the file. */
export function reportPeriod(request: ReportRequest): string {
  const { from, to } = spanOf(request)
  return request.report === 'monthly' ? formatMonthRange(from, to) : formatDayRange(from, to)
}

/** Returns for example `2026-11-01 to 2026-11-21`, for the name of a file, so that a folder sorts by it. */
export function periodInName(request: ReportRequest): string {
  const { from, to } = spanOf(request)
  return from === to ? from : `${from} to ${to}`
}

/** Returns the period of a report, both ends included. */
function spanOf({ report, params }: ReportRequest): { from: string; to: string } {
  switch (report) {
    case 'transaction':
      return { from: params.from, to: params.to }
    case 'monthly':
      return { from: params.from_month, to: params.to_month }
    case 'daily':
      return { from: params.day, to: params.day }
  }
}

/** The names of a report's filters; undefined or null is "all". */
export interface FilterNames {
  branch?: string | undefined
  posUser?: string | undefined
  denominationCents: number | null
}

/** The longest name in a title, in UTF-16 code units. The title is also the name of a file, which has room for two such names. */
const LONGEST_NAME = 60

/** Returns for example `Transaction Report, 2026-11-01 to 2026-11-21, Bedok Mall, $10.00`: the name of a report everywhere. */
export const reportTitle = (
  report: ReportRequest['report'],
  period: string,
  { branch, posUser, denominationCents }: FilterNames,
): string =>
  [
    REPORT_NAMES[report],
    period,
    ...[branch, posUser].flatMap((name) => (name === undefined ? [] : [shortened(name, LONGEST_NAME)])),
    ...(denominationCents === null ? [] : [formatCents(denominationCents)]),
  ].join(', ')
