import { useState, type ReactNode } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { adminChangeEmail, adminChangePassword, myInfo } from '../../contract/accounts/account.ts'
import { currentPassword } from '../../contract/accounts/loginForms.ts'
import { email } from '../../contract/fieldSchemas.ts'
import { changePasswordForm } from '../../domain/accounts/passwords.ts'
import { isMainAccount } from '../../domain/accounts/permissions.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { TextField } from '../../ui/form/TextField.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { FormDialog } from '../record/FormDialog.tsx'
import { AnyCodeField, anyCode, reauthenticationFailure } from './mfa/CodeFields.tsx'
import { newPasswordFailure } from './passwords/newPasswordFailure.ts'
import { CurrentPasswordField, NewPasswordFields } from './passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from './passwords/sealPassword.ts'
import { useUser } from './useUser.ts'

/** Returns the menu items with which the main account changes a login of its masters or branches, and the dialog that they open. */
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

/** Lets the main account give a master or a branch a temporary password (rule 3.8). */
const SetPasswordDialog = ({ login: { guid, name, email }, onClose }: LoginDialogProps) => (
  <FormDialog
    title={`Set the password of ${name}`}
    act="Set password"
    schema={changePasswordForm(email)}
    initial={{ current_password: '', new_password: '', repeat_password: '' }}
    send={(typed) =>
      retryOnExpiredKey(async () => {
        const [encrypted_own_password, encrypted_new_password] = await Promise.all([
          sealPassword(typed.current_password),
          sealPassword(typed.new_password),
        ])
        const body = { user_guid: guid, encrypted_own_password, encrypted_new_password }
        return call(adminChangePassword, { body })
      })
    }
    done={() => `Password of ${name} set`}
    failed={newPasswordFailure}
    onClose={onClose}
  >
    {(form) => (
      <>
        <p>
          {`${email} is logged out at once, and told by email. It logs in with this password once, and then chooses its own.`}
        </p>
        <CurrentPasswordField label="Your own password" {...form.field('current_password')} />
        <NewPasswordFields form={form} loginName={email} />
      </>
    )}
  </FormDialog>
)

/** Lets the main account move the login of a master or a branch to another address (rule 3.10). */
function ChangeEmailDialog({ login, onClose }: LoginDialogProps) {
  const { needed: needsCode, demand } = useCodeNeeded()
  return (
    <FormDialog
      title={`Change the login email of ${login.name}`}
      act="Send link"
      schema={changeEmailForm(needsCode)}
      initial={{ email: '', current_password: '', code: '' }}
      send={async ({ email: to, current_password, code }) => {
        await retryOnExpiredKey(async () => {
          const encrypted_own_password = await sealPassword(current_password)
          const body = { user_guid: login.guid, email: to, encrypted_own_password, ...(code === '' ? {} : { code }) }
          return call(adminChangeEmail, { body })
        })
        return to
      }}
      done={(to) => `Link sent to ${to}`}
      failed={(error) => {
        if (!(error instanceof ApiError && error.code === 'REAUTH_REQUIRED')) return reauthenticationFailure(error)
        demand()
        return { message: 'Your authenticator app asks for a code too.' }
      }}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p>
            A link goes to the new email. Until it is followed,{' '}
            <b className="font-strong wrap-anywhere">{login.email}</b> logs in as before, and is told about it. Then it
            is logged out. The password stays.
          </p>
          <TextField label="New email" type="email" autoComplete="off" {...field('email')} />
          <CurrentPasswordField label="Your own password" {...field('current_password')} />
          {needsCode && <AnyCodeField hint="From your authenticator app, or a recovery code." {...field('code')} />}
        </>
      )}
    </FormDialog>
  )
}

/** Says if a code must be asked for: this device knows of an authenticator app, or the server has demanded a code. */
function useCodeNeeded(): { needed: boolean; demand: () => void } {
  const { guid } = useUser()
  const [demanded, setDemanded] = useState(false)
  const { data } = useCachedRead(guid, 'account.my_info', myInfo.answer, (signal) => call(myInfo, { signal }))
  const isEnrolled = data?.mfa !== undefined && data.mfa.enabled_at !== null
  return { needed: demanded || isEnrolled, demand: () => setDemanded(true) }
}

const changeEmailForm = (needsCode: boolean) =>
  v.object({ email, current_password: currentPassword, code: needsCode ? anyCode : v.literal('') })
