import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/branches/')({
  component: () => <UnbuiltPage title="Branches" line="Branches cannot be managed here yet." />,
})
