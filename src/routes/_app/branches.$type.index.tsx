import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'
import { requireSubPath } from '../../blocks/requireSubPath.ts'

export const Route = createFileRoute('/_app/branches/$type/')({
  beforeLoad: ({ params }) => requireSubPath('branches', params.type),
  component: () => <UnbuiltPage title="Branches" line="Branches cannot be managed here yet." />,
})
