import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TransactionReportForm } from './TransactionReportForm.tsx'

export function TransactionReportPage() {
  usePageTitle('Transaction Report')
  return (
    <>
      <PageHeader
        title="Transaction Report"
        note="Redeemed vouchers in at most 2 months, as CSV. Days are Singapore days."
      />
      <div className="max-w-form">
        <TransactionReportForm />
      </div>
    </>
  )
}
