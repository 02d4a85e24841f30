import { LIMITS } from '../contract/limits.ts'
import { lastDayOfWindow, lastMonthOfWindow } from '../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../contract/reports/reportPreview.ts'
import { formatCents } from './money.ts'
import { addMonths } from './months.ts'
import { addDays, formatDayRange, formatMonthRange } from './singaporeTime.ts'

export const REPORT_NAMES: Record<ReportPreviewRequest['report'], string> = {
  transaction: 'Transaction Report',
  monthly: 'Monthly Report',
  daily: 'Daily Report',
}

/** `1–21 Nov 2026`: as the screen and the head of the file have it. */
export function reportPeriod(request: ReportPreviewRequest): string {
  const { from, to } = spanOf(request)
  return request.report === 'monthly' ? formatMonthRange(from, to) : formatDayRange(from, to)
}

/** `2026-11-01 to 2026-11-21`: as the name of a file has it, so that a folder sorts by it. Of parts, from the first to the last. */
export function periodInName(first: ReportPreviewRequest, last = first): string {
  const [{ from }, { to }] = [spanOf(first), spanOf(last)]
  return from === to ? from : `${from} to ${to}`
}

function spanOf({ report, params }: ReportPreviewRequest): Span {
  switch (report) {
    case 'transaction':
      return { from: params.from, to: params.to }
    case 'monthly':
      return { from: params.from_month, to: params.to_month }
    case 'daily':
      return { from: params.day, to: params.day }
  }
}

/** The filters of a report by their names; undefined or null is "all". */
export interface FilterNames {
  branch?: string | undefined
  posUser?: string | undefined
  denominationCents: number | null
}

/** `Transaction Report, 2026-11-01 to 2026-11-21, Bedok Mall, $10.00`: what a report is called wherever it is named. */
export const reportTitle = (
  report: ReportPreviewRequest['report'],
  period: string,
  { branch, posUser, denominationCents }: FilterNames,
): string =>
  [
    REPORT_NAMES[report],
    period,
    ...[branch, posUser].flatMap((name) => (name === undefined ? [] : [shortened(name)])),
    ...(denominationCents === null ? [] : [formatCents(denominationCents)]),
  ].join(', ')

/** The title is also the name of a file, and a file's name has room for two of these. */
const LONGEST_NAME = 60

const shortened = (name: string) => (name.length > LONGEST_NAME ? `${beginning(name, LONGEST_NAME - 1)}…` : name)

/** As many whole signs as there are within `most` code units: half an emoji is nothing that could be written. */
function beginning(text: string, most: number): string {
  let end = 0
  for (const { length } of signsOf(text)) {
    if (end + length > most) break
    end += length
  }
  return text.slice(0, end)
}

/** As a person counts them; by code point where the browser knows no more. */
const signsOf = (text: string): string[] =>
  'Segmenter' in Intl
    ? Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment)
    : [...text]

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
