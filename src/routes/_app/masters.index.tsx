import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/masters/')({
  component: () => <UnbuiltPage title="Masters" line="Masters cannot be managed here yet." />,
})
