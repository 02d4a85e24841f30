import { useId, useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { adminChangeEmail, myInfo } from '../../contract/accounts/account.ts'
import { currentPassword } from '../../contract/accounts/loginForms.ts'
import { email } from '../../contract/fieldSchemas.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { showToast } from '../../state/toasts.ts'
import { Form } from '../../ui/form/Form.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { useForm } from '../../ui/form/useForm.ts'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { useUnsavedWork } from '../drafts/useUnsavedWork.ts'
import { FormDialogActions } from '../record/FormDialogActions.tsx'
import type { Login } from './Login.ts'
import { AnyCodeField } from './mfa/CodeFields.tsx'
import { anyCode, reauthenticationFailure } from './mfa/reauthentication.ts'
import { CurrentPasswordField } from './passwords/CurrentPasswordField.tsx'
import { retryOnExpiredKey, sealPassword } from './passwords/sealPassword.ts'
import { useUser } from './useUser.ts'

interface Props {
  login: Login
  onClose: () => void
}

/** The main account moves the login of a master or a branch to another address (rule 3.10). */
export function ChangeEmailDialog({ login, onClose }: Props) {
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
