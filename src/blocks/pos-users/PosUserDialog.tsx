import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { changePosPassword, editPosUser, type PosUserRow, posUsers } from '../../contract/posUsers.ts'
import { newPasswordForm, newPosUserForm, temporaryPassword } from '../../domain/accounts/passwords.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyField } from '../../ui/form/CopyField.tsx'
import type { ControlProps } from '../../ui/form/Field.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import type { FormApi } from '../../ui/form/useForm.ts'
import { Notice } from '../../ui/Notice.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { newPasswordFailure } from '../accounts/passwords/newPasswordFailure.ts'
import { NewPasswordFields } from '../accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../accounts/passwords/sealPassword.ts'
import { useUnsavedWork } from '../drafts/useDraft.ts'
import { FormDialog } from '../record/FormDialog.tsx'
import { toFormFailure } from '../record/toFormFailure.ts'

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

/** The dialog that is open, if any. Each opening starts a new form. */
export function PosUserDialog({ dialog, branch, onDialog, onChanged }: PosUserDialogProps) {
  const close = () => onDialog(undefined)
  switch (dialog?.open) {
    case 'create':
      return <CreatePosUserDialog branch={branch} onDone={onChanged} onClose={close} />
    case 'edit':
      return <EditPosUserDialog user={dialog.user} onChanged={onChanged} onClose={close} />
    case 'password':
      return <ChangePosPasswordDialog user={dialog.user} onDone={onChanged} onClose={close} />
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

interface Typed {
  username: string
  new_password: string
  repeat_password: string
}

/** The rules for the password depend on the typed username. */
const NewPosUser = v.pipe(
  v.custom<Typed & Record<string, string>>((typed) => typeof typed === 'object' && typed !== null),
  v.lazy((typed) => newPosUserForm((typed as Typed).username)),
)

/** Suggests a password at once, because a cashier replaces it at the first login. */
function CreatePosUserDialog({ branch, onDone, onClose }: CreateProps) {
  const [suggested] = useState(() => temporaryPassword(randomBelow))
  return (
    <FormDialog
      title={`Create a POS user for ${branch.name}`}
      act="Create POS user"
      schema={NewPosUser}
      initial={{ username: '', new_password: suggested, repeat_password: suggested }}
      send={({ username, new_password }) =>
        retryOnExpiredKey(async () => {
          const encrypted_password = await sealPassword(new_password)
          return call(posUsers.create, { body: { branch_guid: branch.guid, username, encrypted_password } })
        })
      }
      done={({ username }) => {
        onDone()
        return `${username} created`
      }}
      failed={newPasswordFailure}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>The cashier logs in with these once, then chooses their own password.</p>
          {/* An empty list links only to this form. */}
          <Link to="/imports/pos-users" className="justify-self-start">
            Import several from a file
          </Link>
          <UsernameField hint="For example the branch and the number of the till." {...form.field('username')} />
          <SuggestPassword form={form} first={suggested} />
          <NewPasswordFields form={form} loginName={form.values.username.trim()} />
        </>
      )}
    </FormDialog>
  )
}

interface EditProps {
  user: PosUserRow
  /** Reads the list again. */
  onChanged: () => void
  onClose: () => void
}

const EditPosUserDialog = ({ user: { guid, username, revision }, onChanged, onClose }: EditProps) => (
  <FormDialog
    title={`Edit ${username}`}
    act="Save changes"
    schema={editPosUser.body}
    initial={{ username, revision }}
    send={(body) => call(editPosUser, { params: { id: guid }, body })}
    done={(saved) => {
      onChanged()
      return `${saved.username} saved`
    }}
    failed={(error) => {
      if (!(error instanceof ApiError && error.code === 'STALE_REVISION')) return toFormFailure(error)
      onChanged()
      return { message: `${error.statusMessage} Close this, then edit it as it is now.` }
    }}
    onClose={onClose}
  >
    {(form) => <UsernameField hint="The cashier logs in with it from the next time on." {...form.field('username')} />}
  </FormDialog>
)

const UsernameField = (field: ControlProps & { hint: string }) => (
  <TextField label="Username" autoComplete="off" autoCapitalize="none" spellCheck={false} {...field} />
)

interface ChangePasswordProps {
  user: PosUserRow
  onDone: () => void
  onClose: () => void
}

const ChangePosPasswordDialog = ({ user: { guid, username }, onDone, onClose }: ChangePasswordProps) => (
  <FormDialog
    title={`Change the password of ${username}`}
    act="Change password"
    schema={newPasswordForm(username)}
    initial={{ new_password: '', repeat_password: '' }}
    send={({ new_password }) =>
      retryOnExpiredKey(async () => {
        const encrypted_new_password = await sealPassword(new_password)
        return call(changePosPassword, { params: { id: guid }, body: { encrypted_new_password } })
      })
    }
    done={() => {
      onDone()
      return `Password of ${username} changed`
    }}
    failed={newPasswordFailure}
    onClose={onClose}
  >
    {(form) => (
      <>
        <p>It is logged out at once. The cashier logs in with this password once, and then chooses their own.</p>
        <SuggestPassword form={form} />
        <NewPasswordFields form={form} loginName={username} />
      </>
    )}
  </FormDialog>
)

interface TemporaryPasswordProps {
  user: PosUserRow
  password: string
  onClose: () => void
}

/** Shows the password once. It is stored nowhere. */
function TemporaryPasswordDialog({ user: { username }, password, onClose }: TemporaryPasswordProps) {
  useUnsavedWork('pos-temporary-password', true)
  return (
    <Dialog
      open
      hasLongContent
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
  /** The suggestion that is filled in already. */
  first?: string
}

/** Fills in a password that meets every rule. It stays visible until another one is typed or the dialog closes. */
function SuggestPassword({ form, first = '' }: Props) {
  const [suggested, setSuggested] = useState(first)
  const isUsed = suggested !== '' && form.values.new_password === suggested
  const suggest = () => {
    const password = temporaryPassword(randomBelow)
    setSuggested(password)
    form.setValues({ new_password: password, repeat_password: password })
  }
  return (
    <>
      <div className="flex items-center gap-2">
        <Button onClick={suggest}>{isUsed ? 'Suggest another password' : 'Suggest a password'}</Button>
      </div>
      {isUsed && (
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

const WORD_LIMIT = 2 ** 32

/** Returns a random whole number below `limit`. Skips the numbers that would make some remainders likelier than others. */
function randomBelow(limit: number): number {
  for (;;) {
    const [word = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (word < WORD_LIMIT - (WORD_LIMIT % limit)) return word % limit
  }
}
