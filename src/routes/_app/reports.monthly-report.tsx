import { createFileRoute } from '@tanstack/react-router'
import { ReportPage } from '../../features/reports/ReportPage.tsx'
import { monthlyReportKind } from '../../features/reports/monthlyReportKind.tsx'

export const Route = createFileRoute('/_app/reports/monthly-report')({
  component: () => <ReportPage kind={monthlyReportKind} />,
})
