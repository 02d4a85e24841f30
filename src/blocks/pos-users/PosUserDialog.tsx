import type { PosUserRow } from '../../contract/posUsers.ts'
import { ChangePosPasswordDialog } from './PosPasswordDialogs.tsx'
import { CreatePosUserDialog } from '../pos/CreatePosUserDialog.tsx'
import { EditPosUserDialog } from '../pos/EditPosUserDialog.tsx'
import { TemporaryPasswordDialog } from '../pos/TemporaryPasswordDialog.tsx'

export type PosUserDialogState =
  | { open: 'create' }
  | { open: 'edit' | 'password'; user: PosUserRow }
  | { open: 'temporary'; user: PosUserRow; password: string }

interface PosUserDialogProps {
  dialog: PosUserDialogState | undefined
  branch: { guid: string; name: string }
  onDialog: (dialog: PosUserDialogState | undefined) => void
  onChanged: () => void
}

/** The one dialog that is open, if any: a form of its own for each opening. */
export function PosUserDialog({ dialog, branch, onDialog, onChanged }: PosUserDialogProps) {
  const close = () => onDialog(undefined)
  const done = () => {
    onChanged()
    close()
  }
  switch (dialog?.open) {
    case 'create':
      return <CreatePosUserDialog branch={branch} onDone={done} onClose={close} />
    case 'edit':
      return <EditPosUserDialog user={dialog.user} onDone={done} onClose={close} />
    case 'password':
      return <ChangePosPasswordDialog user={dialog.user} onDone={done} onClose={close} />
    case 'temporary':
      return <TemporaryPasswordDialog user={dialog.user} password={dialog.password} onClose={close} />
    case undefined:
      return null
  }
}
