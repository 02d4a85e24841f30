import { createFileRoute } from '@tanstack/react-router'
import { UnbuiltPage } from '../../blocks/UnbuiltPage.tsx'

export const Route = createFileRoute('/_app/dashboard')({
  component: () => (
    <UnbuiltPage
      title="Dashboard"
      line="The figures of the day are not built yet. Vouchers and the Transaction Report work today."
    />
  ),
})
