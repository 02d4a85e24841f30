import { useId } from 'react'
import { posApi } from '../../api/business.ts'
import type { PosUserRow } from '../../contract/posUsers.ts'
import { newPasswordForm } from '../../domain/accounts/passwords.ts'
import { showToast } from '../../state/toasts.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { NewPasswordFields } from '../accounts/passwords/NewPasswordFields.tsx'
import { newPasswordFailure } from '../accounts/passwords/newPasswordFailure.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { sealPassword, retryOnExpiredKey } from '../accounts/passwords/sealPassword.ts'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'

interface ChangePasswordProps {
  user: PosUserRow
  onDone: () => void
  onClose: () => void
}

export function ChangePosPasswordDialog({ user: { guid, username }, onDone, onClose }: ChangePasswordProps) {
  const id = useId()
  const form = useForm({
    schema: newPasswordForm(username),
    initial: { new_password: '', repeat_password: '' },
    submit: ({ new_password }) => change(guid, new_password).then(changed, newPasswordFailure),
  })
  const changed = () => {
    showToast({ tone: 'success', text: `Password of ${username} changed` })
    onDone()
  }
  useUnsavedWork('pos-password', form.dirty)
  const actions = <FormDialogActions act="Change password" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Change the password of ${username}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <p>It is logged out at once. The cashier logs in with this password once, and then chooses their own.</p>
        <NewPasswordFields form={form} loginName={username} />
      </Form>
    </Dialog>
  )
}

const change = (id: string, password: string) =>
  retryOnExpiredKey(async () => {
    const encrypted_new_password = await sealPassword(password)
    return posApi.changePassword({ params: { id }, body: { encrypted_new_password } })
  })
