import type { OutboxIntent } from '../../contract/reports/report.ts'
import type { ReportPreviewRequest } from '../../contract/reports/reportPreview.ts'
import { reportTitle } from '../../domain/reports.ts'
import { periodOfParts } from '../../offline/outbox/downloadRequests.ts'

export function reportIntent(request: ReportPreviewRequest): OutboxIntent {
  switch (request.report) {
    case 'transaction':
      return { kind: 'transaction_report', params: request.params }
    case 'monthly':
      return { kind: 'monthly_report', params: request.params }
    case 'daily':
      return { kind: 'daily_report', params: request.params }
  }
}

/** `Transaction Report, 1–21 Nov 2026.csv`: the name of the line under Downloads and of the file. */
export const fileTitle = (request: ReportPreviewRequest): string => `${reportTitle(request)}.${request.params.format}`

export const partsTitle = (report: string, intent: OutboxIntent): string => `${report}, ${periodOfParts(intent)}.csv`
