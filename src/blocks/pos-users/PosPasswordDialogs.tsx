import { useId, useState } from 'react'
import { call } from '../../api/call.ts'
import { changePosPassword, type PosUserRow } from '../../contract/posUsers.ts'
import { newPasswordForm, temporaryPassword } from '../../domain/accounts/passwords.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyField } from '../../ui/form/CopyField.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { useForm, type FormApi } from '../../ui/form/useForm.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { newPasswordFailure } from '../accounts/passwords/newPasswordFailure.ts'
import { NewPasswordFields } from '../accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../accounts/passwords/sealPassword.ts'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'

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
        <SuggestPassword form={form} />
        <NewPasswordFields form={form} loginName={username} />
      </Form>
    </Dialog>
  )
}

const change = (id: string, password: string) =>
  retryOnExpiredKey(async () => {
    const encrypted_new_password = await sealPassword(password)
    return call(changePosPassword, { params: { id }, body: { encrypted_new_password } })
  })

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
      <div className="grid gap-5">
        <Notice tone="warn">
          <p>It is not shown again. Read it to the cashier now. They choose their own at the next login.</p>
        </Notice>
        <CopyField label="Temporary password" shown={password} text={password} />
      </div>
    </Dialog>
  )
}

interface Props {
  form: Pick<FormApi<{ new_password: string; repeat_password: string }>, 'values' | 'setValues'>
}

/** Fills in a password that meets every rule. It is in plain sight until another one is typed or the dialog closes, and nowhere after. */
export function SuggestPassword({ form }: Props) {
  const [suggested, setSuggested] = useState('')
  const suggest = () => {
    const password = temporaryPassword(randomBelow)
    setSuggested(password)
    form.setValues({ new_password: password, repeat_password: password })
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <Button onClick={suggest}>{suggested ? 'Suggest another password' : 'Suggest a password'}</Button>
      </div>
      {suggested !== '' && form.values.new_password === suggested && (
        <CopyField
          label="Suggested password"
          hint="Give it to the cashier now. It is not shown again."
          shown={suggested}
          text={suggested}
        />
      )}
    </>
  )
}

const BELOW_WORD = 2 ** 32

/** Without the numbers that would make some remainders likelier than others. */
function randomBelow(limit: number): number {
  for (;;) {
    const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (word < BELOW_WORD - (BELOW_WORD % limit)) return word % limit
  }
}
