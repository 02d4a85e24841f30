import { createFileRoute } from '@tanstack/react-router'
import { ReportPage } from '../../features/reports/ReportPage.tsx'
import { dailyReportKind } from '../../features/reports/dailyReportKind.tsx'

export const Route = createFileRoute('/_app/reports/daily-report')({
  component: () => <ReportPage kind={dailyReportKind} />,
})
