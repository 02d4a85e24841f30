import type { ReportRequest } from '../contract/reports/report.ts'
import { formatCents } from './money.ts'
import { formatDayRange, formatMonthRange } from './singaporeTime.ts'

export const REPORT_NAMES: Record<ReportRequest['report'], string> = {
  transaction: 'Transaction Report',
  monthly: 'Monthly Report',
  daily: 'Daily Report',
}

/** `1–21 Nov 2026`: as the screen and the head of the file have it. */
export function reportPeriod(request: ReportRequest): string {
  const { from, to } = spanOf(request)
  return request.report === 'monthly' ? formatMonthRange(from, to) : formatDayRange(from, to)
}

/** `2026-11-01 to 2026-11-21`: as the name of a file has it, so that a folder sorts by it. */
export function periodInName(request: ReportRequest): string {
  const { from, to } = spanOf(request)
  return from === to ? from : `${from} to ${to}`
}

/** Both ends included. */
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

/** The filters of a report by their names; undefined or null is "all". */
export interface FilterNames {
  branch?: string | undefined
  posUser?: string | undefined
  denominationCents: number | null
}

/** `Transaction Report, 2026-11-01 to 2026-11-21, Bedok Mall, $10.00`: what a report is called wherever it is named. */
export const reportTitle = (
  report: ReportRequest['report'],
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
