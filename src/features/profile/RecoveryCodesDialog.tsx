import { useRef, useState } from 'react'
import { AuthCodeField } from '../../blocks/accounts/mfa/CodeFields.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { CurrentPasswordField } from './security/CurrentPasswordField.tsx'
import { reauthenticationFailure } from './reauthenticationFailure.ts'
import { PasswordAndCodeForm } from './reauthenticationForm.ts'
import { SaveCodes } from './SaveCodes.tsx'
import { renewRecoveryCodes } from './security/mfa.ts'

interface RecoveryCodesDialogProps {
  onClose: () => void
  onChanged: () => void
}

export function RecoveryCodesDialog({ onClose, onChanged }: RecoveryCodesDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const [codes, setCodes] = useState<readonly string[]>()
  const form = useForm({
    schema: PasswordAndCodeForm,
    initial: { current_password: '', code: '' },
    submit: (typed) =>
      renewRecoveryCodes(typed).then((made) => {
        setCodes(made)
        onChanged()
      }, reauthenticationFailure),
  })
  useUnsavedWork('recovery-codes-form', form.dirty)
  return (
    // The codes are shown once: Escape must not lose them.
    <Dialog
      open
      holdsForm
      title={codes ? 'Save your recovery codes' : 'New recovery codes'}
      initialFocus={first}
      onClose={() => codes || onClose()}
    >
      {codes ? (
        <SaveCodes codes={codes} onDone={onClose} />
      ) : (
        <>
          <p className="muted">The recovery codes you have now stop working.</p>
          <Form form={form}>
            <CurrentPasswordField ref={first} {...form.field('current_password')} />
            <AuthCodeField hint="From your authenticator app." {...form.field('code')} />
            <div className="actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" busy={form.submitting} aria-disabled={form.waiting}>
                Make new codes
              </Button>
            </div>
          </Form>
        </>
      )}
    </Dialog>
  )
}
