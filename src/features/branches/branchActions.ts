import { branchApi } from '../../api/business.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import { holdsWarning } from '../../blocks/record/holdsWarning.ts'
import { unableToDelete } from '../../blocks/record/unableToDelete.ts'
import type { BranchRow } from '../../contract/branches.ts'

/** What an act needs to know of a branch: a row has it, and an opened record. */
export type BranchTarget = Pick<BranchRow, 'guid' | 'name' | 'email' | 'pos_users'> & { on_hold?: number }

export const deactivate = ({ guid, name, pos_users, on_hold }: BranchTarget) =>
  runAction({
    question: {
      title: `Deactivate ${name}?`,
      consequence: `${whoIsLoggedOut(pos_users)} logged out at once and cannot log in until it is re-activated. No voucher can be redeemed there.${holdsWarning(on_hold)}`,
      act: 'Deactivate branch',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => branchApi.deactivate({ params: { id: guid } }),
    done: `${name} deactivated`,
  })

const whoIsLoggedOut = (tills: number) => {
  if (tills === 0) return 'Its login is'
  return tills === 1 ? 'Its login and its POS user are' : `Its login and its ${tills} POS users are`
}

export const reactivate = ({ guid, name }: BranchTarget) =>
  runAction({ run: () => branchApi.reactivate({ params: { id: guid } }), done: `${name} re-activated` })

export const resetPassword = ({ guid, name, email }: BranchTarget) =>
  runAction({
    question: {
      title: `Reset the password of ${name}?`,
      consequence: `A link to set a new password is mailed to ${email}. The password of now works until then.`,
      act: 'Send link',
      wayOut: 'Cancel',
      destructive: false,
    },
    run: () => branchApi.resetPassword({ params: { id: guid } }),
    done: `Link sent to ${email}`,
  })

export const remove = ({ guid, name }: BranchTarget) =>
  runAction({
    question: {
      title: `Delete ${name}?`,
      consequence: 'Its login is deleted with it. This cannot be undone.',
      act: 'Delete branch',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => branchApi.remove({ params: { id: guid } }),
    done: `${name} deleted`,
    refused: unableToDelete,
  })
