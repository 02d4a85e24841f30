import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/reports/daily-report')({
  component: () => <UnbuiltPage title="Daily Report" line="This report is not built yet." />,
})
