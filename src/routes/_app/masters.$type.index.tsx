import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'
import { requireSubPath } from '../../blocks/requireSubPath.ts'

export const Route = createFileRoute('/_app/masters/$type/')({
  beforeLoad: ({ params }) => requireSubPath('masters', params.type),
  component: () => <UnbuiltPage title="Masters" line="Masters cannot be managed here yet." />,
})
