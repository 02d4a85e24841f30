import type { AccountStatus } from '../../contract/accounts/permissions.ts'
import { Badge } from '../../ui/Badge.tsx'

/** Which status has which colour: rule 2.4. */
export const AccountBadge = ({ status }: { status: AccountStatus }) => <Badge tone={toneOf(status)}>{status}</Badge>

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
