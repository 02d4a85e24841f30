import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'
import { requireSubPath } from '../../blocks/requireSubPath.ts'

export const Route = createFileRoute('/_app/profile/$type')({
  beforeLoad: ({ params }) => requireSubPath('profile', params.type),
  component: () => <UnbuiltPage title="Profile" line="The profile cannot be edited here yet." />,
})
