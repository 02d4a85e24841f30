import { useId } from 'react'
import * as v from 'valibot'
import { posApi } from '../../api/business.ts'
import { username } from '../../contract/fieldSchemas.ts'
import { newPasswordForm } from '../../domain/accounts/passwords.ts'
import { showToast } from '../../state/toasts.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { NewPasswordFields } from '../accounts/passwords/NewPasswordFields.tsx'
import { newPasswordFailure } from '../accounts/passwords/newPasswordFailure.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { sealPassword, retryOnExpiredKey } from '../accounts/passwords/sealPassword.ts'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'

interface CreateProps {
  branch: { guid: string; name: string }
  onDone: () => void
  onClose: () => void
}

const EMPTY = { username: '', new_password: '', repeat_password: '' }
type Typed = typeof EMPTY

/** Which password fits depends on the name that is typed beside it. */
const NewPosUser = v.pipe(
  v.custom<Typed>((typed) => typeof typed === 'object' && typed !== null),
  v.lazy((typed) => v.intersect([v.object({ username }), newPasswordForm((typed as Typed).username)])),
)

export function CreatePosUserDialog({ branch, onDone, onClose }: CreateProps) {
  const id = useId()
  const form = useForm({
    schema: NewPosUser,
    initial: EMPTY,
    submit: (typed) => create(branch.guid, typed).then(created, newPasswordFailure),
  })
  const created = (name: string) => {
    showToast({ tone: 'success', text: `${name} created` })
    onDone()
  }
  useUnsavedWork('pos-create', form.dirty)
  const actions = <FormDialogActions act="Create POS user" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Create a POS user of ${branch.name}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <p>The cashier logs in with these once, and then sets an own password.</p>
        <TextField
          label="Username"
          hint="For example the branch and the number of the till."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('username')}
        />
        <NewPasswordFields form={form} loginName={form.values.username.trim()} />
      </Form>
    </Dialog>
  )
}

async function create(branch_guid: string, { username, new_password }: Typed): Promise<string> {
  const made = await retryOnExpiredKey(async () => {
    const encrypted_password = await sealPassword(new_password)
    return posApi.create({ body: { branch_guid, username, encrypted_password } })
  })
  return made.username
}
