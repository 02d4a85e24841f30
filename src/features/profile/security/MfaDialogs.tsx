import { useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { call } from '../../../api/call.ts'
import {
  AnyCodeField,
  AuthCodeField,
  codeFailure,
  anyCode,
  reauthenticationFailure,
} from '../../../blocks/accounts/mfa/CodeFields.tsx'
import { MfaEnrolment, RecoveryCodes, type MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { CurrentPasswordField } from '../../../blocks/accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { useUnsavedWork } from '../../../blocks/drafts/useDraft.ts'
import { renewRecoveryCodes } from '../../../contract/accounts/account.ts'
import { initiateMfaSetup, verifyAndEnableMfa } from '../../../contract/accounts/auth.ts'
import { currentPassword } from '../../../contract/accounts/loginForms.ts'
import { authCode } from '../../../contract/wireFields.ts'
import { readBegunSetup, noteBegunSetup } from '../../../state/begunSetup.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm, type FormView } from '../../../ui/form/useForm.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { Dialog, DialogActions } from '../../../ui/overlay/Dialog.tsx'

interface MfaDeviceDialogProps {
  /** True if a device is enrolled. A change to a new device then needs a code from the enrolled device. */
  enrolled: boolean
  onClose: () => void
  /** Called once a new device is in use. */
  onChanged: () => void
}

/** Enrols a device in three stages: identity, the new app, recovery codes. */
export function MfaDeviceDialog({ enrolled, onClose, onChanged }: MfaDeviceDialogProps) {
  const [setup, setSetup] = useState<MfaSetup>()
  const [expiredNotice, setExpiredNotice] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const enable = (current: MfaSetup) => (code: string) =>
    call(verifyAndEnableMfa, { body: { setup: current.setup, code } }).then(
      ({ recovery_codes }) => {
        setCodes(recovery_codes)
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
    <Dialog open hasLongContent title={title} onClose={() => codes || onClose()}>
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
        <>
          {expiredNotice && (
            <Notice tone="warn" role="alert">
              <p>{expiredNotice}</p>
            </Notice>
          )}
          <ConfirmIdentity enrolled={enrolled} onConfirmed={setSetup} onClose={onClose} />
        </>
      )}
    </Dialog>
  )
}

interface ConfirmIdentityProps {
  enrolled: boolean
  onConfirmed: (setup: MfaSetup) => void
  onClose: () => void
}

/** Asks for the password and, if a device is enrolled, for a code. A stranger at an open browser has no code. */
function ConfirmIdentity({ enrolled, onConfirmed, onClose }: ConfirmIdentityProps) {
  const form = useForm({
    schema: v.object({ current_password: currentPassword, code: enrolled ? anyCode : v.literal('') }),
    initial: { current_password: '', code: '' },
    submit: (typed) => startMfaSetup(typed).then(onConfirmed, reauthenticationFailure),
  })
  return (
    <StageForm
      form={form}
      onClose={onClose}
      act="Continue"
      text={
        enrolled
          ? 'The present device works until the new one is verified.'
          : 'Each login then asks for a 6-digit code from this app.'
      }
    >
      <CurrentPasswordField {...form.field('current_password')} />
      {enrolled && <AnyCodeField hint="From the present device, or a recovery code." {...form.field('code')} />}
    </StageForm>
  )
}

/**
 * Requests a secret for a new authenticator app. After a reload, it is the same secret. The present app works until the new
 * app is verified.
 */
const startMfaSetup = ({ current_password, code }: { current_password: string; code: string }): Promise<MfaSetup> =>
  retryOnExpiredKey(async () => {
    const encrypted_current_password = await sealPassword(current_password)
    const body = { encrypted_current_password, ...(code === '' ? {} : { code }), ...readBegunSetup() }
    const begun = await call(initiateMfaSetup, { body })
    noteBegunSetup(begun.setup)
    return begun
  })

interface RecoveryCodesDialogProps {
  onClose: () => void
  onChanged: () => void
}

export function RecoveryCodesDialog({ onClose, onChanged }: RecoveryCodesDialogProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  const form = useForm({
    // Only a code of the device is accepted, not a recovery code.
    schema: v.object({ current_password: currentPassword, code: authCode }),
    initial: { current_password: '', code: '' },
    submit: ({ current_password, code }) =>
      retryOnExpiredKey(async () => {
        const encrypted_current_password = await sealPassword(current_password)
        return call(renewRecoveryCodes, { body: { encrypted_current_password, code } })
      }).then(({ recovery_codes }) => {
        setCodes(recovery_codes)
        onChanged()
      }, reauthenticationFailure),
  })
  return (
    // The codes are shown once: Escape must not lose them.
    <Dialog
      open
      hasLongContent
      title={codes ? 'Save your recovery codes' : 'New recovery codes'}
      onClose={() => codes || onClose()}
    >
      {codes ? (
        <SaveCodes codes={codes} onDone={onClose} />
      ) : (
        <StageForm
          form={form}
          onClose={onClose}
          act="Make new codes"
          text="The recovery codes you have now stop working."
        >
          <CurrentPasswordField {...form.field('current_password')} />
          <AuthCodeField hint="From your authenticator app." {...form.field('code')} />
        </StageForm>
      )}
    </Dialog>
  )
}

interface StageFormProps {
  form: FormView & { dirty: boolean }
  act: string
  text: string
  onClose: () => void
  children: Elements
}

/** The form of a stage that asks for proof. After it is sent, the dialog shows the next stage. */
function StageForm({ form, act, text, onClose, children }: StageFormProps) {
  useUnsavedWork('mfa', form.dirty)
  return (
    <>
      <p className="text-muted">{text}</p>
      <Form form={form}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.submitting}>
            {act}
          </Button>
        </DialogActions>
      </Form>
    </>
  )
}

/** The last stage of a dialog. The dialog closes only when the person says that the codes are saved. */
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
