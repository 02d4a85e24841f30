import { createFileRoute } from '@tanstack/react-router'
import { PlainPage } from '../blocks/PlainPage.tsx'

export const Route = createFileRoute('/voucher-management-guidelines')({
  component: () => (
    <PlainPage title="Voucher management guidelines" line="The guidelines are not published here yet." />
  ),
})
