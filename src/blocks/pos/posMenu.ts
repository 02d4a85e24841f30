import type { PosUserRow } from '../../contract/posUsers.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import type { PosUserDialogState } from '../pos-users/PosUserDialog.tsx'
import { deactivatePosUser, reactivatePosUser, removePosUser, resetPosPassword } from '../pos-users/posUserActions.ts'

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
      ? { label: 'Re-activate', onSelect: () => void reactivatePosUser(row).then(onChanged) }
      : { label: 'Deactivate', onSelect: () => void deactivatePosUser(row).then(onChanged) },
    {
      label: 'Delete',
      ...(row.last_login ? { disabled: true, hint: 'It has logged in before' } : {}),
      onSelect: () => void removePosUser(row).then(onChanged),
    },
  ]
}
