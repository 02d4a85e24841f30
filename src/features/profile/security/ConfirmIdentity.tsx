import type { RefObject } from 'react'
import { AnyCodeField } from '../../../blocks/accounts/mfa/CodeFields.tsx'
import type { MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { reauthenticationFailure } from '../../../blocks/accounts/mfa/reauthentication.ts'
import { CurrentPasswordField } from '../../../blocks/accounts/passwords/PasswordFields.tsx'
import { useUnsavedWork } from '../../../blocks/drafts/useUnsavedWork.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm, type FormView } from '../../../ui/form/useForm.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { DialogActions } from '../../../ui/overlay/Dialog.tsx'
import { PasswordAndAnyCodeForm, PasswordForm, startMfaSetup } from './mfa.ts'

interface Props {
  first: RefObject<HTMLInputElement | null>
  /** Why it is asked again; empty at first. */
  notice: string
  onConfirmed: (setup: MfaSetup) => void
  onClose: () => void
}

/** For the first device the password is enough. */
export function ConfirmPassword({ first, notice, onConfirmed, onClose }: Props) {
  const form = useForm({
    schema: PasswordForm,
    initial: { current_password: '' },
    submit: (typed) => startMfaSetup(typed).then(onConfirmed, reauthenticationFailure),
  })
  return (
    <ConfirmForm
      form={form}
      notice={notice}
      onClose={onClose}
      text="Each login then asks for a 6-digit code from this app."
    >
      <CurrentPasswordField ref={first} {...form.field('current_password')} />
    </ConfirmForm>
  )
}

/** For another device a code is needed too: somebody who only found this browser open has none. */
export function ConfirmPasswordAndCode({ first, notice, onConfirmed, onClose }: Props) {
  const form = useForm({
    schema: PasswordAndAnyCodeForm,
    initial: { current_password: '', code: '' },
    submit: (typed) => startMfaSetup(typed).then(onConfirmed, reauthenticationFailure),
  })
  return (
    <ConfirmForm
      form={form}
      notice={notice}
      onClose={onClose}
      text="The present device works until the new one is verified."
    >
      <CurrentPasswordField ref={first} {...form.field('current_password')} />
      <AnyCodeField hint="From the present device, or a recovery code." {...form.field('code')} />
    </ConfirmForm>
  )
}

interface ConfirmFormProps extends Pick<Props, 'notice' | 'onClose'> {
  form: FormView & { dirty: boolean; waiting: true | undefined }
  text: string
  children: Elements
}

function ConfirmForm({ form, notice, text, onClose, children }: ConfirmFormProps) {
  useUnsavedWork('device', form.dirty)
  return (
    <>
      {notice && (
        <Notice tone="warn" role="alert">
          <p>{notice}</p>
        </Notice>
      )}
      <p className="text-muted">{text}</p>
      <Form form={form}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={form.submitting} aria-disabled={form.waiting}>
            Continue
          </Button>
        </DialogActions>
      </Form>
    </>
  )
}
