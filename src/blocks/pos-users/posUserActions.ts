import { call } from '../../api/call.ts'
import * as pos from '../../contract/posUsers.ts'
import type { PosUserRow } from '../../contract/posUsers.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { deleteItem, statusItem } from '../record/recordActions.ts'
import { holdsWarning, runAction } from '../record/runAction.ts'
import type { PosUserDialogState } from './PosUserDialog.tsx'

interface Paths {
  onDialog: (dialog: PosUserDialogState) => void
  /** Reads the list again, after a lost answer too. */
  onChanged: () => void
}

/** What can be done with a POS user as it stands. */
export function posUserMenu(row: PosUserRow, { onDialog, onChanged }: Paths): MenuItem[] {
  // Branch and user go together (ACL-04).
  const pair = { params: { branch: row.branch_guid, id: row.guid } }
  const record = {
    noun: 'POS user',
    name: row.username,
    isInactive: row.status === 'Inactive',
    deactivate: () => call(pos.deactivatePosUser, pair),
    reactivate: () => call(pos.reactivatePosUser, pair),
    remove: () => call(pos.posUsers.remove, { params: { id: row.guid } }),
    consequence: `It is logged out at once and cannot log in until it is re-activated.${holdsWarning(undefined)}`,
    comesBack: true,
    onChanged,
  } as const
  const reset = async () => {
    const answer = await resetPosPassword(row)
    onChanged()
    if (answer) onDialog({ open: 'temporary', user: row, password: answer.temporary_password })
  }
  return [
    { label: 'Edit', onSelect: () => onDialog({ open: 'edit', user: row }) },
    { label: 'Change password', onSelect: () => onDialog({ open: 'password', user: row }) },
    { label: 'Reset password', onSelect: () => void reset() },
    statusItem(record),
    deleteItem(record, row.last_login ? 'It has logged in before' : undefined),
  ]
}

/** Gives the made-up password, which nobody is told again. */
const resetPosPassword = ({ guid, username }: PosUserRow) =>
  runAction({
    question: {
      title: `Reset the password of ${username}?`,
      consequence: 'It is logged out at once. You get a temporary password to read to the cashier.',
      act: 'Reset password',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => call(pos.resetPosPassword, { params: { id: guid } }),
    done: `Password of ${username} reset`,
  })
