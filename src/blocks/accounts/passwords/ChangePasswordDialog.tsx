import { useId, useRef } from 'react'
import { call } from '../../../api/call.ts'
import * as account from '../../../contract/accounts/account.ts'
import type { UserType } from '../../../contract/accounts/permissions.ts'
import { changePasswordForm } from '../../../domain/accounts/passwords.ts'
import { closePasswordPrompt } from '../../../state/passwordPrompt.ts'
import { showToast } from '../../../state/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { useUnsavedWork } from '../../drafts/useUnsavedWork.ts'
import { useUser } from '../useUser.ts'
import { newPasswordFailure } from './newPasswordFailure.ts'
import { CurrentPasswordField, NewPasswordFields } from './PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from './sealPassword.ts'

interface Props {
  open: boolean
  onClose: () => void
}

const EMPTY_PASSWORDS = { current_password: '', new_password: '', repeat_password: '' }

/** Each opening has a new form: what was typed before is gone with the dialog. */
export function ChangePasswordDialog({ open, onClose }: Props) {
  return open ? <OpenDialog onClose={onClose} /> : null
}

function OpenDialog({ onClose }: Pick<Props, 'onClose'>) {
  const { login_name, type } = useUser()
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const form = useForm({
    schema: changePasswordForm(login_name),
    initial: EMPTY_PASSWORDS,
    submit: (values) =>
      changePassword(type, values).then(() => {
        showToast({ tone: 'success', text: 'Password changed. Other devices were logged out.' })
        onClose()
      }, newPasswordFailure),
  })
  useUnsavedWork('change-password', form.dirty)
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form={id} variant="primary" busy={form.submitting} aria-disabled={form.waiting}>
        Change password
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title="Change password" holdsForm initialFocus={first} actions={actions}>
      <Form form={form} id={id}>
        <CurrentPasswordField ref={first} {...form.field('current_password')} />
        <NewPasswordFields form={form} loginName={login_name} />
      </Form>
    </Dialog>
  )
}

/** Changes my password and ends my other sessions. Throws ApiError: WRONG_PASSWORD and the refusals of a new one. */
async function changePassword(
  type: UserType,
  typed: { current_password: string; new_password: string },
): Promise<void> {
  // Rule 3.7: a POS user has no call of the merchant's own.
  const change = type === 'POS User' ? account.changePassword : account.merchantChangePassword
  await retryOnExpiredKey(async () => {
    const [encrypted_current_password, encrypted_new_password] = await Promise.all([
      sealPassword(typed.current_password),
      sealPassword(typed.new_password),
    ])
    return call(change, { body: { encrypted_current_password, encrypted_new_password } })
  })
  closePasswordPrompt()
}
