import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/settings/device')({
  component: () => (
    <UnbuiltPage title="This device" line="What this device keeps offline cannot be inspected here yet." />
  ),
})
