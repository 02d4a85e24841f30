import { useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { AuthCodeField, codeFailure } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { MfaEnrolment, RecoveryCodes, type MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { reauthenticationFailure } from '../../../blocks/accounts/mfa/reauthentication.ts'
import { CurrentPasswordField } from '../../../blocks/accounts/passwords/PasswordFields.tsx'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useUnsavedWork.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { Dialog, DialogActions } from '../../../ui/overlay/Dialog.tsx'
import { ConfirmPassword, ConfirmPasswordAndCode } from './ConfirmIdentity.tsx'
import { enableMfa, PasswordAndCodeForm, renewRecoveryCodes } from './mfa.ts'

interface MfaDeviceDialogProps {
  /** There is a device already: a code of it is needed for the new one. */
  enrolled: boolean
  onClose: () => void
  /** A new device is in force. */
  onChanged: () => void
}

/** One dialog in three stages: who you are, the new app, its recovery codes. */
export function MfaDeviceDialog({ enrolled, onClose, onChanged }: MfaDeviceDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const [setup, setSetup] = useState<MfaSetup>()
  const [expiredNotice, setExpiredNotice] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const Confirm = enrolled ? ConfirmPasswordAndCode : ConfirmPassword

  const enable = (current: MfaSetup) => (code: string) =>
    enableMfa(current.setup, code).then(
      (made) => {
        setCodes(made)
        onChanged()
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'CHALLENGE_EXPIRED') {
          setExpiredNotice('This took too long or failed too often. Nothing was changed.')
          setSetup(undefined)
        }
        return codeFailure(error)
      },
    )

  const title = codes ? 'Save your recovery codes' : enrolled ? 'Change device' : 'Set up your authenticator app'
  return (
    // The codes are shown once: Escape must not lose them.
    <Dialog open holdsForm title={title} initialFocus={first} onClose={() => codes || onClose()}>
      {codes ? (
        <SaveCodes codes={codes} onDone={onClose} />
      ) : setup ? (
        <MfaEnrolment
          setup={setup}
          heading="h3"
          focused
          submit={enable(setup)}
          actions={(state) => (
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" {...state}>
                Verify
              </Button>
            </DialogActions>
          )}
        />
      ) : (
        <Confirm first={first} notice={expiredNotice} onConfirmed={setSetup} onClose={onClose} />
      )}
    </Dialog>
  )
}

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
          <p className="text-muted">The recovery codes you have now stop working.</p>
          <Form form={form}>
            <CurrentPasswordField ref={first} {...form.field('current_password')} />
            <AuthCodeField hint="From your authenticator app." {...form.field('code')} />
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" busy={form.submitting} aria-disabled={form.waiting}>
                Make new codes
              </Button>
            </DialogActions>
          </Form>
        </>
      )}
    </Dialog>
  )
}

/** The last stage of a dialog. It ends when the codes are saved. */
function SaveCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { login_name } = useUser()
  const [saved, setSaved] = useState(false)
  return (
    <div className="grid gap-5">
      <RecoveryCodes codes={codes} loginName={login_name} saved={saved} onSaved={setSaved} />
      <DialogActions>
        <Button variant="primary" aria-disabled={saved ? undefined : true} onClick={onDone}>
          Done
        </Button>
      </DialogActions>
    </div>
  )
}
