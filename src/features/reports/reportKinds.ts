import { dailyReportKind } from './reportKinds.tsx'
import { monthlyReportKind } from './monthlyReportKind.tsx'
import type { ReportKind } from './ReportKind.ts'
import { transactionReportKind } from './transactionReportKind.tsx'

/** In the order of the screen that lists them. */
export const REPORT_KINDS: Record<ReportKind['name'], ReportKind> = {
  transaction: transactionReportKind,
  monthly: monthlyReportKind,
  daily: dailyReportKind,
}
