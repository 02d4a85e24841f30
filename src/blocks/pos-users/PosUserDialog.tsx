import { useId } from 'react'
import * as v from 'valibot'
import { call } from '../../api/call.ts'
import { editPosUser, PosUser, posUsers, type PosUserRow } from '../../contract/posUsers.ts'
import { newPosUserForm } from '../../domain/accounts/passwords.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { newPasswordFailure } from '../accounts/passwords/newPasswordFailure.ts'
import { NewPasswordFields } from '../accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../accounts/passwords/sealPassword.ts'
import { DraftNotice } from '../drafts/DraftNotice.tsx'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'
import { EditConflictDialog } from '../record/EditConflictDialog.tsx'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { useRecordForm } from '../record/useRecordForm.ts'
import { ChangePosPasswordDialog, SuggestPassword, TemporaryPasswordDialog } from './PosPasswordDialogs.tsx'

export type PosUserDialogState =
  | { open: 'create' }
  | { open: 'edit' | 'password'; user: PosUserRow }
  | { open: 'temporary'; user: PosUserRow; password: string }

interface PosUserDialogProps {
  dialog: PosUserDialogState | undefined
  branch: { guid: string; name: string }
  onDialog: (dialog: PosUserDialogState | undefined) => void
  onChanged: () => void
}

/** The one dialog that is open, if any: a form of its own for each opening. */
export function PosUserDialog({ dialog, branch, onDialog, onChanged }: PosUserDialogProps) {
  const close = () => onDialog(undefined)
  const done = () => {
    onChanged()
    close()
  }
  switch (dialog?.open) {
    case 'create':
      return <CreatePosUserDialog branch={branch} onDone={done} onClose={close} />
    case 'edit':
      return <EditPosUserDialog user={dialog.user} onDone={done} onClose={close} />
    case 'password':
      return <ChangePosPasswordDialog user={dialog.user} onDone={done} onClose={close} />
    case 'temporary':
      return <TemporaryPasswordDialog user={dialog.user} password={dialog.password} onClose={close} />
    case undefined:
      return null
  }
}

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
  v.lazy((typed) => newPosUserForm((typed as Typed).username)),
)

function CreatePosUserDialog({ branch, onDone, onClose }: CreateProps) {
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
    <Dialog open onClose={onClose} title={`Create a POS user for ${branch.name}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <p>The cashier logs in with these once, then chooses their own password.</p>
        <TextField
          label="Username"
          hint="For example the branch and the number of the till."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('username')}
        />
        <SuggestPassword form={form} />
        <NewPasswordFields form={form} loginName={form.values.username.trim()} />
      </Form>
    </Dialog>
  )
}

async function create(branch_guid: string, { username, new_password }: Typed): Promise<string> {
  const made = await retryOnExpiredKey(async () => {
    const encrypted_password = await sealPassword(new_password)
    return call(posUsers.create, { body: { branch_guid, username, encrypted_password } })
  })
  return made.username
}

interface EditProps {
  user: PosUserRow
  onDone: () => void
  onClose: () => void
}

const toForm = ({ username, revision }: Pick<PosUserRow, 'username' | 'revision'>) => ({ username, revision })

function EditPosUserDialog({ user, onDone, onClose }: EditProps) {
  const { id, form, draft, stale, settle, putOff } = useRecordForm({
    draft: `pos/${user.guid}`,
    schema: editPosUser.body,
    initial: toForm(user),
    send: (body) => call(editPosUser, { params: { id: user.guid }, body }),
    saved: ({ username }) => {
      showToast({ tone: 'success', text: `${username} saved` })
      onDone()
    },
    edits: { record: PosUser, toForm },
  })
  // Dialogs are never stacked: the choice between two versions takes the place of the form.
  if (stale) {
    return (
      <EditConflictDialog
        stale={stale}
        mine={form.values}
        labels={{ username: 'Username' }}
        onSettle={settle}
        onBack={putOff}
      />
    )
  }
  const leave = () => {
    draft.done()
    onClose()
  }
  const actions = <FormDialogActions act="Save changes" {...{ id, form }} onClose={leave} />
  return (
    <Dialog open onClose={leave} title={`Edit ${user.username}`} holdsForm actions={actions}>
      <Form form={form} id={id}>
        <DraftNotice draft={draft} />
        <TextField
          label="Username"
          hint="The cashier logs in with it from the next time on."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('username')}
        />
      </Form>
    </Dialog>
  )
}
