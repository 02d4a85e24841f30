import { call } from '../../api/call.ts'
import { mailResetLink, resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import type { Login } from '../../blocks/accounts/useLoginActs.tsx'
import { deleteItem, statusItem, holdsWarning } from '../../blocks/record/recordActions.ts'
import {
  branches,
  deactivateBranch,
  reactivateBranch,
  resetBranchPassword,
  type Branch,
  type BranchRow,
} from '../../contract/branches.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** Reads the branch or the list again, also when an answer was lost. */
type OnChanged = () => void

/** A row of the list or an opened branch. Only an opened branch has the number of holds. */
type BranchTarget = BranchRow & { on_hold?: number }

const toActionTarget = (branch: BranchTarget, onChanged: OnChanged) => {
  const { guid, name, status, pos_users, on_hold } = branch
  const params = { id: guid }
  return {
    noun: 'branch',
    name,
    isInactive: status === 'Inactive',
    deactivate: () => call(deactivateBranch, { params }),
    reactivate: () => call(reactivateBranch, { params }),
    remove: () => call(branches.remove, { params }),
    consequence: `${whoIsLoggedOut(pos_users)} logged out at once and cannot log in until it is re-activated. No voucher can be redeemed there.${holdsWarning(on_hold)}`,
    // Holds that have ended are not restored.
    isUndoable: (on_hold ?? 0) === 0,
    deletedWith: 'Its login is deleted with it.',
    onChanged,
  } as const
}

export const branchStatusItem = (branch: BranchTarget, onChanged: OnChanged): MenuItem =>
  statusItem(toActionTarget(branch, onChanged))

/** Returns the actions on the login of a branch. They are disabled while the branch is Inactive. */
export function loginItems(branch: BranchRow, onChanged: OnChanged): MenuItem[] {
  const { account_guid, account_status, email, invited_at, status } = branch
  if (account_guid === null || email === null) return []
  const item =
    account_status === 'Pending Activation'
      ? resendInvitationItem({ account: account_guid, email, invited_at }, onChanged)
      : { label: 'Reset password', onSelect: () => void resetPassword(branch).then(onChanged) }
  return [status === 'Inactive' ? { ...item, disabled: true, hint: 'The branch is Inactive' } : item]
}

/** Returns the activated login of a branch, for `useLoginActs`. */
export const loginOf = ({ account_guid, account_status, email, name, status }: BranchRow): Login | undefined =>
  account_guid !== null && email !== null && account_status === 'Active' && status === 'Active'
    ? { guid: account_guid, name, email }
    : undefined

/** The menu item to delete a branch. It is disabled, with the reason, if this device knows that the server would refuse. */
export const branchDeleteItem = (branch: BranchRow | Branch, onDeleted: (deleted: boolean) => void): MenuItem =>
  deleteItem(
    toActionTarget(branch, () => onDeleted(false)),
    deletionBlocker(branch),
    onDeleted,
  )

function deletionBlocker(branch: BranchRow | Branch): string | undefined {
  if (branch.pos_users > 0) return 'It has POS users'
  if (branch.last_login_at !== null) return 'It has logged in before'
  return 'deletable' in branch && !branch.deletable ? 'Something still refers to it' : undefined
}

const whoIsLoggedOut = (posUsers: number) => {
  if (posUsers === 0) return 'Its login is'
  return posUsers === 1 ? 'Its login and its POS user are' : `Its login and its ${posUsers} POS users are`
}

const resetPassword = (target: BranchRow) =>
  mailResetLink(target, () => call(resetBranchPassword, { params: { id: target.guid } }))
