import { resendInvitationItem } from '../../blocks/accounts/resendInvitationItem.ts'
import type { Branch, BranchRow } from '../../contract/branches.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { deactivate, type BranchTarget, reactivate, remove, resetPassword } from './branchActions.ts'

/** Reads again what was acted on, after a lost answer too. */
type OnChanged = () => void

/** Deactivate, or the way back. */
export const statusItem = (branch: BranchRow, onChanged: OnChanged): MenuItem =>
  branch.status === 'Inactive'
    ? { label: 'Re-activate', onSelect: () => void reactivate(branch).then(onChanged) }
    : { label: 'Deactivate', onSelect: () => void deactivate(branch).then(onChanged) }

/** What can be done for the login: none can be reached while its branch is closed. */
export function loginItems(branch: BranchRow, onChanged: OnChanged): MenuItem[] {
  const { account_guid, account_status, email, invited_at, status } = branch
  if (account_guid === null || email === null) return []
  const item =
    account_status === 'Pending Activation'
      ? resendInvitationItem({ account: account_guid, email, invited_at }, onChanged)
      : { label: 'Reset password', onSelect: () => void resetPassword(branch).then(onChanged) }
  return [status === 'Inactive' ? { ...item, disabled: true, hint: 'The branch is Inactive' } : item]
}

/** Says beforehand what is known to refer to the branch. */
export function deleteItem(branch: BranchRow | Branch, onDeleted: (deleted: boolean) => void): MenuItem {
  const inUse = deletionBlocker(branch)
  return {
    label: 'Delete',
    ...(inUse ? { disabled: true, hint: inUse } : {}),
    onSelect: () => void remove(branch satisfies BranchTarget).then((answer) => onDeleted(answer !== undefined)),
  }
}

function deletionBlocker(branch: BranchRow | Branch): string | undefined {
  if (branch.pos_users > 0) return 'It has POS users'
  if (branch.last_sign_in_at !== null) return 'It has logged in before'
  return 'deletable' in branch && !branch.deletable ? 'Something still refers to it' : undefined
}
