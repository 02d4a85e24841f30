import type { AccountStatus } from '../../contract/accounts/permissions.ts'

/** Status of an account, in the colours of rule 2.4. Vouchers have marks instead, so that the two never look alike. */
export const AccountBadge = ({ status }: { status: AccountStatus }) => (
  <span className={`badge ${toneOf(status)}`}>{status}</span>
)

function toneOf(status: AccountStatus) {
  switch (status) {
    case 'Active':
      return 'success'
    case 'Inactive':
    case 'Authorisation Rejected':
      return 'danger'
    case 'Pending':
    case 'Pending Activation':
    case 'Pending Authorisation':
      return 'warn'
  }
}
