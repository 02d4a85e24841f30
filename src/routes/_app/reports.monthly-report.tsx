import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/reports/monthly-report')({
  component: () => <UnbuiltPage title="Monthly Report" line="This report is not built yet." />,
})
