import type { PosUserRow } from '../../contract/posUsers.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyField } from '../../ui/form/CopyField.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'

interface TemporaryPasswordProps {
  user: PosUserRow
  password: string
  onClose: () => void
}

/** The only time this password is seen; it is nowhere but on this screen. */
export function TemporaryPasswordDialog({ user: { username }, password, onClose }: TemporaryPasswordProps) {
  useUnsavedWork('pos-temporary-password', true)
  return (
    <Dialog
      open
      holdsForm
      onClose={onClose}
      title={`Temporary password of ${username}`}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form">
        <Notice tone="warn">
          <p>It is not shown again. Read it to the cashier now. They choose their own at the next login.</p>
        </Notice>
        <CopyField label="Temporary password" shown={password} text={password} />
      </div>
    </Dialog>
  )
}
