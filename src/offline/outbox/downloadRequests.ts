import type { OutboxIntent, ReportIntent } from '../../contract/reports/report.ts'
import type { Outcome } from '../../domain/Outcome.ts'
import { formatDayRange, formatMonthRange } from '../../domain/singaporeTime.ts'

/** What is asked of the server for a download, one after the other. */
export function requestsOf(intent: OutboxIntent): ReportIntent[] {
  switch (intent.kind) {
    case 'transaction_report_parts':
      return intent.parts.map((params) => ({ kind: 'transaction_report', params }))
    case 'monthly_report_parts':
      return intent.parts.map((params) => ({ kind: 'monthly_report', params }))
    default:
      return [intent]
  }
}

/** The period of all parts together, as a report's head states it; undefined for what has no parts. */
export function periodOfParts(intent: OutboxIntent): string | undefined {
  if (intent.kind === 'transaction_report_parts') return formatDayRange(intent.parts[0]!.from, intent.parts.at(-1)!.to)
  if (intent.kind !== 'monthly_report_parts') return undefined
  return formatMonthRange(intent.parts[0]!.from_month, intent.parts.at(-1)!.to_month)
}

/** Under which the bytes of a part lie until all are there. */
export const partId = (id: string, part: number) => `${id}/${String(part).padStart(2, '0')}`

export interface DownloadedFile {
  bytes: ArrayBuffer
  filename: string
  type: string
}

/** One request. `signal` ends one that nobody wants any more; what it then comes back with, or throws, does not matter. */
export type Send = (
  intent: ReportIntent,
  id: string,
  progress: (received: number, total?: number) => void,
  signal: AbortSignal,
) => Promise<Outcome<DownloadedFile>>
