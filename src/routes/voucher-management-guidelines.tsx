import { createFileRoute } from '@tanstack/react-router'
import { VOUCHER_MANAGEMENT_GUIDELINES } from '../domain/legal/voucherManagementGuidelines.ts'
import { LegalPage } from '../features/legal/LegalPage.tsx'

export const Route = createFileRoute('/voucher-management-guidelines')({
  component: () => <LegalPage document={VOUCHER_MANAGEMENT_GUIDELINES} />,
})
