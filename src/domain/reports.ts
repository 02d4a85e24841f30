import type { ReportPreviewRequest } from '../contract/reports/reportPreview.ts'
import { formatDay, formatDayRange, formatMonthRange } from './singaporeTime.ts'

export const REPORT_NAMES: Record<ReportPreviewRequest['report'], string> = {
  transaction: 'Transaction Report',
  monthly: 'Monthly Report',
  daily: 'Daily Report',
}

/** `1–21 Nov 2026`: as the screen, the head of the file and its name have it. */
export function reportPeriod(request: ReportPreviewRequest): string {
  switch (request.report) {
    case 'transaction':
      return formatDayRange(request.params.from, request.params.to)
    case 'monthly':
      return formatMonthRange(request.params.from_month, request.params.to_month)
    case 'daily':
      return formatDay(request.params.day)
  }
}

/** `Transaction Report, 1–21 Nov 2026`: what a report is called wherever it is named. */
export const reportTitle = (request: ReportPreviewRequest): string =>
  `${REPORT_NAMES[request.report]}, ${reportPeriod(request)}`
