import type { ReportPreviewRequest } from '../contract/reportPreview.ts'
import { formatDay, formatDayRange, formatMonthRange } from './singaporeTime.ts'

/** `Transaction Report, 1–21 Nov 2026`: what a report is called wherever it is named. */
export function reportTitle(request: ReportPreviewRequest): string {
  switch (request.report) {
    case 'transaction':
      return `Transaction Report, ${formatDayRange(request.params.from, request.params.to)}`
    case 'monthly':
      return `Monthly Report, ${formatMonthRange(request.params.from_month, request.params.to_month)}`
    case 'daily':
      return `Daily Report, ${formatDay(request.params.day)}`
  }
}
