import { createFileRoute } from '@tanstack/react-router'
import { ReportPage } from '../../features/reports/ReportPage.tsx'
import { transactionReportKind } from '../../features/reports/transactionReportKind.tsx'

export const Route = createFileRoute('/_app/reports/transaction-report')({
  component: () => <ReportPage kind={transactionReportKind} />,
})
