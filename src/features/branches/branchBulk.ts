import { branchApi } from '../../api/business.ts'
import { merchantApi } from '../../api/portal.ts'
import type { BulkAction } from '../../blocks/list/BulkAct.ts'
import type { BranchRow } from '../../contract/branches.ts'

export const BRANCH_BULK_ACTIONS: readonly BulkAction<BranchRow>[] = [
  {
    label: 'Deactivate',
    doing: 'Deactivating',
    done: 'Deactivated',
    consequence: 'Their logins and POS users are logged out at once. No voucher can be redeemed there.',
    destructive: true,
    refuses: ({ status }) => (status === 'Inactive' ? 'is Inactive already' : undefined),
    run: ({ guid }) => branchApi.deactivate({ params: { id: guid } }),
  },
  {
    label: 'Resend activation email',
    doing: 'Sending',
    done: 'Sent',
    consequence: 'Each gets a new activation link; the one before stops working.',
    destructive: false,
    refuses: invitationBlocker,
    run: ({ account_guid }) => merchantApi.resendInvitation({ params: { id: account_guid ?? '' } }),
  },
]

function invitationBlocker({ status, account_guid, account_status }: BranchRow): string | undefined {
  if (account_guid === null) return 'has no login'
  if (account_status !== 'Pending Activation') return `its login is ${account_status}`
  return status === 'Inactive' ? 'is Inactive' : undefined
}
