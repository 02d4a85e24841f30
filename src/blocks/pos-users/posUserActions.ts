import { call } from '../../api/call.ts'
import * as pos from '../../contract/posUsers.ts'
import type { PosUserRow } from '../../contract/posUsers.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { holdsWarning, runAction, unableToDelete } from '../record/runAction.ts'
import type { PosUserDialogState } from './PosUserDialog.tsx'

interface Paths {
  onDialog: (dialog: PosUserDialogState) => void
  /** Reads the list again, after a lost answer too. */
  onChanged: () => void
}

/** What can be done with a POS user as it stands. */
export function posUserMenu(row: PosUserRow, { onDialog, onChanged }: Paths): MenuItem[] {
  const reset = async () => {
    const answer = await resetPosPassword(row)
    onChanged()
    if (answer) onDialog({ open: 'temporary', user: row, password: answer.temporary_password })
  }
  return [
    { label: 'Edit', onSelect: () => onDialog({ open: 'edit', user: row }) },
    { label: 'Change password', onSelect: () => onDialog({ open: 'password', user: row }) },
    { label: 'Reset password', onSelect: () => void reset() },
    row.status === 'Inactive'
      ? { label: 'Re-activate', onSelect: () => void reactivatePosUser(row, onChanged).then(onChanged) }
      : { label: 'Deactivate', onSelect: () => void deactivatePosUser(row, onChanged).then(onChanged) },
    {
      label: 'Delete',
      ...(row.last_login ? { disabled: true, hint: 'It has logged in before' } : {}),
      onSelect: () => void removePosUser(row).then(onChanged),
    },
  ]
}

/** Branch and user go together (ACL-04). */
const pair = ({ branch_guid, guid }: PosUserRow) => ({ params: { branch: branch_guid, id: guid } })

const deactivation = (row: PosUserRow) => ({
  run: () => call(pos.deactivatePosUser, pair(row)),
  done: `${row.username} deactivated`,
})

const reactivation = (row: PosUserRow) => ({
  run: () => call(pos.reactivatePosUser, pair(row)),
  done: `${row.username} re-activated`,
})

const deactivatePosUser = (row: PosUserRow, onChanged: () => void) =>
  runAction({
    ...deactivation(row),
    undo: () => runAction(reactivation(row)).then(onChanged),
    question: {
      title: `Deactivate ${row.username}?`,
      consequence: `It is logged out at once and cannot log in until it is re-activated.${holdsWarning(undefined)}`,
      act: 'Deactivate POS user',
      wayOut: 'Cancel',
      destructive: true,
    },
  })

const reactivatePosUser = (row: PosUserRow, onChanged: () => void) =>
  runAction({ ...reactivation(row), undo: () => runAction(deactivation(row)).then(onChanged) })

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

const removePosUser = ({ guid, username }: PosUserRow) =>
  runAction({
    question: {
      title: `Delete ${username}?`,
      consequence: 'This cannot be undone.',
      act: 'Delete POS user',
      wayOut: 'Cancel',
      destructive: true,
    },
    run: () => call(pos.posUsers.remove, { params: { id: guid } }),
    done: `${username} deleted`,
    refused: unableToDelete,
  })
