import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/activity')({
  component: () => <UnbuiltPage title="Activity" line="The activity log is not built yet." />,
})
