import type { ReportIntent } from '../contract/reports/report.ts'
import { dailyReport, monthlyReport, transactionReport } from '../contract/report.ts'
import { download, type DownloadedFile, type Progress } from './download.ts'
import type { CallInput } from './transport.ts'

const ENDPOINTS = {
  transaction_report: transactionReport,
  monthly_report: monthlyReport,
  daily_report: dailyReport,
} as const

/** The file of one report. `id` names the wish and stays the same over its attempts. Throws ApiError. */
export const reportFile = (
  { kind, params }: ReportIntent,
  id: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<DownloadedFile> => {
  const input: CallInput = { body: params, headers: { 'idempotency-key': id }, signal }
  return download(ENDPOINTS[kind], input, progress)
}
