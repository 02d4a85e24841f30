import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/resources')({
  component: () => <UnbuiltPage title="Resources" line="Programme documents cannot be opened here yet." />,
})
