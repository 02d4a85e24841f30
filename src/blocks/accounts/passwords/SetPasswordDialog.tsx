import { useId, useRef } from 'react'
import { call } from '../../../api/call.ts'
import { adminChangePassword } from '../../../contract/accounts/account.ts'
import { changePasswordForm } from '../../../domain/accounts/passwords.ts'
import { showToast } from '../../../state/toasts.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { useUnsavedWork } from '../../drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../../record/FormDialogActions.tsx'
import type { Login } from '../Login.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { newPasswordFailure } from './newPasswordFailure.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from './sealPassword.ts'

interface Props {
  login: Login
  onClose: () => void
}

/** The main account gives a master or a branch a temporary password (rule 3.8). */
export function SetPasswordDialog({ login: { guid, name, email }, onClose }: Props) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const form = useForm({
    schema: changePasswordForm(email),
    initial: { current_password: '', new_password: '', repeat_password: '' },
    submit: (typed) =>
      setPassword(guid, typed).then(() => {
        showToast({ tone: 'success', text: `Password of ${name} set` })
        onClose()
      }, newPasswordFailure),
  })
  useUnsavedWork('set-password', form.dirty)
  const actions = <FormDialogActions act="Set password" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Set the password of ${name}`}
      holdsForm
      initialFocus={first}
      actions={actions}
    >
      <Form form={form} id={id}>
        <p>
          {email} is logged out at once, and told by email. It logs in with this password once, and then chooses its
          own.
        </p>
        <CurrentPasswordField ref={first} label="Your own password" {...form.field('current_password')} />
        <NewPasswordFields form={form} loginName={email} />
      </Form>
    </Dialog>
  )
}

/** Throws ApiError: WRONG_PASSWORD, the refusals of a new one, INVALID_STATE, TOO_MANY_ATTEMPTS. */
const setPassword = (user_guid: string, typed: { current_password: string; new_password: string }) =>
  retryOnExpiredKey(async () => {
    const [encrypted_own_password, encrypted_new_password] = await Promise.all([
      sealPassword(typed.current_password),
      sealPassword(typed.new_password),
    ])
    return call(adminChangePassword, { body: { user_guid, encrypted_own_password, encrypted_new_password } })
  })
