import { call } from '../../api/call.ts'
import { mailResetLink, resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import type { Login } from '../../blocks/accounts/useLoginActs.tsx'
import { holdsWarning, runAction, unableToDelete } from '../../blocks/record/runAction.ts'
import {
  branches,
  deactivateBranch,
  reactivateBranch,
  resetBranchPassword,
  type Branch,
  type BranchRow,
} from '../../contract/branches.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** What an action needs of a branch: a table row has it, and an opened branch too. */
export type BranchTarget = Pick<BranchRow, 'guid' | 'name' | 'email' | 'pos_users'> & { on_hold?: number }

/** Reads the branch or the list again, after a lost answer too. */
type OnChanged = () => void

/** Deactivate, or re-activate. */
export const statusItem = (branch: BranchRow, onChanged: OnChanged): MenuItem =>
  branch.status === 'Inactive'
    ? { label: 'Re-activate', onSelect: () => void reactivate(branch, onChanged).then(onChanged) }
    : { label: 'Deactivate', onSelect: () => void deactivate(branch, onChanged).then(onChanged) }

/** Actions on the login. They are disabled while the branch is Inactive. */
export function loginItems(branch: BranchRow, onChanged: OnChanged): MenuItem[] {
  const { account_guid, account_status, email, invited_at, status } = branch
  if (account_guid === null || email === null) return []
  const item =
    account_status === 'Pending Activation'
      ? resendInvitationItem({ account: account_guid, email, invited_at }, onChanged)
      : { label: 'Reset password', onSelect: () => void resetPassword(branch).then(onChanged) }
  return [status === 'Inactive' ? { ...item, disabled: true, hint: 'The branch is Inactive' } : item]
}

/** The login of a branch that somebody uses: what `useLoginActs` acts on. */
export const loginOf = ({ account_guid, account_status, email, name, status }: BranchRow): Login | undefined =>
  account_guid !== null && email !== null && account_status === 'Active' && status === 'Active'
    ? { guid: account_guid, name, email }
    : undefined

/** Disabled with the reason where it is known here that the server would refuse. */
export function deleteItem(branch: BranchRow | Branch, onDeleted: (deleted: boolean) => void): MenuItem {
  const blocker = deletionBlocker(branch)
  return {
    label: 'Delete',
    ...(blocker ? { disabled: true, hint: blocker } : {}),
    onSelect: () => void remove(branch satisfies BranchTarget).then((answer) => onDeleted(answer !== undefined)),
  }
}

function deletionBlocker(branch: BranchRow | Branch): string | undefined {
  if (branch.pos_users > 0) return 'It has POS users'
  if (branch.last_sign_in_at !== null) return 'It has logged in before'
  return 'deletable' in branch && !branch.deletable ? 'Something still refers to it' : undefined
}

const deactivation = ({ guid, name }: BranchTarget) => ({
  run: () => call(deactivateBranch, { params: { id: guid } }),
  done: `${name} deactivated`,
})

const reactivation = ({ guid, name }: BranchTarget) => ({
  run: () => call(reactivateBranch, { params: { id: guid } }),
  done: `${name} re-activated`,
})

/** Holds that have ended do not come back. */
const deactivate = (branch: BranchTarget, onChanged: OnChanged) => {
  const { name, pos_users, on_hold = 0 } = branch
  const back = () => runAction(reactivation(branch)).then(onChanged)
  return runAction({
    ...deactivation(branch),
    ...(on_hold === 0 ? { undo: back } : {}),
    question: {
      title: `Deactivate ${name}?`,
      consequence: `${whoIsLoggedOut(pos_users)} logged out at once and cannot log in until it is re-activated. No voucher can be redeemed there.${holdsWarning(branch.on_hold)}`,
      act: 'Deactivate branch',
      wayOut: 'Cancel',
      destructive: true,
    },
  })
}

const whoIsLoggedOut = (tills: number) => {
  if (tills === 0) return 'Its login is'
  return tills === 1 ? 'Its login and its POS user are' : `Its login and its ${tills} POS users are`
}

const reactivate = (branch: BranchTarget, onChanged: OnChanged) =>
  runAction({ ...reactivation(branch), undo: () => runAction(deactivation(branch)).then(onChanged) })

const resetPassword = (target: BranchTarget) =>
  mailResetLink(target, () => call(resetBranchPassword, { params: { id: target.guid } }))

const remove = ({ guid, name }: BranchTarget) =>
  runAction({
    question: {
      title: `Delete ${name}?`,
      consequence: 'Its login is deleted with it. This cannot be undone.',
      act: 'Delete branch',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => call(branches.remove, { params: { id: guid } }),
    done: `${name} deleted`,
    refused: unableToDelete,
  })
