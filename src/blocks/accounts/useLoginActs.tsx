import { useId, useRef, useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { adminChangeEmail, adminChangePassword, myInfo } from '../../contract/accounts/account.ts'
import { currentPassword } from '../../contract/accounts/loginForms.ts'
import { email } from '../../contract/fieldSchemas.ts'
import { changePasswordForm } from '../../domain/accounts/passwords.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import { AnyCodeField } from './mfa/CodeFields.tsx'
import { anyCode, reauthenticationFailure } from './mfa/reauthentication.ts'
import { newPasswordFailure } from './passwords/newPasswordFailure.ts'
import { CurrentPasswordField, NewPasswordFields } from './passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from './passwords/sealPassword.ts'
import { useUser } from './useUser.ts'

/** What only the main account does with a login below it: menu items, and the dialog that one of them has opened. */
export function useLoginActs(login: Login | undefined): { items: MenuItem[]; dialog: ReactNode } {
  const { type } = useUser()
  const [open, setOpen] = useState<'password' | 'email'>()
  if (!login || !isMainAccount(type)) return { items: [], dialog: null }
  const close = () => setOpen(undefined)
  return {
    items: [
      { label: 'Set password', onSelect: () => setOpen('password') },
      { label: 'Change login email', onSelect: () => setOpen('email') },
    ],
    dialog: (
      <>
        {open === 'password' && <SetPasswordDialog login={login} onClose={close} />}
        {open === 'email' && <ChangeEmailDialog login={login} onClose={close} />}
      </>
    ),
  }
}

/** The activated login of a master or a branch. */
export interface Login {
  guid: string
  name: string
  email: string
}

interface LoginDialogProps {
  login: Login
  onClose: () => void
}

/** The main account gives a master or a branch a temporary password (rule 3.8). */
function SetPasswordDialog({ login: { guid, name, email }, onClose }: LoginDialogProps) {
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
          {`${email} is logged out at once, and told by email. It logs in with this password once, and then chooses its own.`}
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

/** The main account moves the login of a master or a branch to another address (rule 3.10). */
function ChangeEmailDialog({ login, onClose }: LoginDialogProps) {
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const { needed: needsCode, demand } = useCodeNeeded()
  const form = useForm({
    schema: changeEmailForm(needsCode),
    initial: { email: '', current_password: '', code: '' },
    submit: (typed) => changeEmail(login.guid, typed).then(sent, failed),
  })
  const sent = (to: string) => {
    showToast({ tone: 'success', text: `Link sent to ${to}` })
    onClose()
  }
  const failed = (error: unknown) => {
    if (error instanceof ApiError && error.code === 'REAUTH_REQUIRED') {
      demand()
      return { message: 'Your authenticator app asks for a code too.' }
    }
    return reauthenticationFailure(error)
  }
  useUnsavedWork('change-email', form.dirty)
  const actions = <FormDialogActions act="Send link" {...{ id, form }} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Change the login email of ${login.name}`}
      holdsForm
      initialFocus={first}
      actions={actions}
    >
      <Form form={form} id={id}>
        <p>
          A link goes to the new email. Until it is followed, <b className="font-strong wrap-anywhere">{login.email}</b>{' '}
          logs in as before, and is told about it. Then it is logged out. The password stays.
        </p>
        <TextField label="New email" type="email" autoComplete="off" ref={first} {...form.field('email')} />
        <CurrentPasswordField label="Your own password" {...form.field('current_password')} />
        {needsCode && <AnyCodeField hint="From your authenticator app, or a recovery code." {...form.field('code')} />}
      </Form>
    </Dialog>
  )
}

/** Whether my own authenticator app is in force, as far as is known here; the server's word counts. */
function useCodeNeeded(): { needed: boolean; demand: () => void } {
  const { guid } = useUser()
  const [demanded, setDemanded] = useState(false)
  const { data } = useCachedRead(guid, 'account.my_info', myInfo.answer, (signal) => call(myInfo, { signal }))
  const isEnrolled = data?.mfa !== undefined && data.mfa.enabled_at !== null
  return { needed: demanded || isEnrolled, demand: () => setDemanded(true) }
}

const changeEmailForm = (needsCode: boolean) =>
  v.object({ email, current_password: currentPassword, code: needsCode ? anyCode : v.literal('') })

interface Typed {
  email: string
  current_password: string
  code: string
}

/** Throws ApiError: NAME_TAKEN, WRONG_PASSWORD, REAUTH_REQUIRED, MFA_CODE_WRONG, INVALID_STATE, TOO_MANY_ATTEMPTS. */
async function changeEmail(user_guid: string, { email, current_password, code }: Typed): Promise<string> {
  await retryOnExpiredKey(async () => {
    const encrypted_own_password = await sealPassword(current_password)
    const body = { user_guid, email, encrypted_own_password, ...(code === '' ? {} : { code }) }
    return call(adminChangeEmail, { body })
  })
  return email
}
