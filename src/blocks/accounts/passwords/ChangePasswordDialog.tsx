import { call } from '../../../api/call.ts'
import * as account from '../../../contract/accounts/account.ts'
import type { UserType } from '../../../contract/accounts/permissions.ts'
import { changePasswordForm } from '../../../domain/accounts/passwords.ts'
import { closePasswordPrompt } from '../../../state/passwordPrompt.ts'
import { FormDialog } from '../../record/FormDialog.tsx'
import { useUser } from '../useUser.ts'
import { newPasswordFailure } from './newPasswordFailure.ts'
import { CurrentPasswordField, NewPasswordFields } from './PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from './sealPassword.ts'

const EMPTY_PASSWORDS = { current_password: '', new_password: '', repeat_password: '' }

/** Each opening starts a new form: closing the dialog discards what was typed. */
export function ChangePasswordDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { login_name, type } = useUser()
  if (!open) return null
  return (
    <FormDialog
      title="Change password"
      act="Change password"
      schema={changePasswordForm(login_name)}
      initial={EMPTY_PASSWORDS}
      send={(typed) => changePassword(type, typed)}
      done={() => 'Password changed. Other devices were logged out.'}
      failed={newPasswordFailure}
      onClose={onClose}
    >
      {(form) => (
        <>
          <CurrentPasswordField {...form.field('current_password')} />
          <NewPasswordFields form={form} loginName={login_name} />
        </>
      )}
    </FormDialog>
  )
}

/** Changes the password of the logged-in account and ends its other sessions. Throws ApiError: WRONG_PASSWORD and the refusals of a new password. */
async function changePassword(
  type: UserType,
  typed: { current_password: string; new_password: string },
): Promise<void> {
  // Rule 3.7: a POS user may not use the merchant's call.
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
