import { call } from '../../../api/call.ts'
import { newPasswordFailure } from '../../../blocks/accounts/passwords/newPasswordFailure.ts'
import { NewPasswordFields } from '../../../blocks/accounts/passwords/PasswordFields.tsx'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import * as auth from '../../../contract/accounts/auth.ts'
import type { LoginStep } from '../../../contract/accounts/auth.ts'
import { newPasswordForm } from '../../../domain/accounts/passwords.ts'
import { visitor } from '../../../state/auth.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/form/Form.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { openSession } from '../login/logIn.ts'

interface Props {
  /** Hides the form, but keeps its place, while it is not known if the link works. */
  waits?: boolean
  /** The owner of the password. The name is empty if it is unknown. */
  who: { kind: 'merchant' | 'pos'; loginName: string }
  /** The text of the button. */
  act: string
  submit: (password: string) => Promise<void>
  /** Called with a failure before the form shows it. */
  onFailure: (error: unknown) => void
}

/** Asks for a new password, but not for the old one. */
export function NewPasswordForm({ waits = false, who, act, submit, onFailure }: Props) {
  // The rule compares with an email address, which a POS user does not have.
  const email = who.kind === 'merchant' ? who.loginName : ''
  const form = useForm({
    schema: newPasswordForm(email),
    initial: { new_password: '', repeat_password: '' },
    submit: ({ new_password }) =>
      submit(new_password).catch((error: unknown) => {
        onFailure(error)
        return newPasswordFailure(error)
      }),
  })
  return (
    <Form form={form} hidden={waits}>
      {/* Tells a password manager which account the password belongs to. */}
      {who.loginName !== '' && <input hidden readOnly autoComplete="username" value={who.loginName} />}
      <NewPasswordFields form={form} loginName={email} />
      <Button type="submit" variant="primary" wide busy={form.submitting}>
        {act}
      </Button>
    </Form>
  )
}

/**
 * Sets the password of an account, identified by its activation link or by the challenge of a login, and logs in. Throws
 * ApiError: LINK_INVALID, CHALLENGE_EXPIRED and the refusals of a new password.
 */
export async function setNewPassword(
  proof: { token: string } | { session: string },
  password: string,
): Promise<LoginStep> {
  const step = await retryOnExpiredKey(async () =>
    call(auth.setNewPassword, { body: { ...proof, encrypted_new_password: await sealPassword(password) } }),
  )
  if (!('challenge' in step)) await openSession(step)
  return step
}

/**
 * Sets the password of the account that the link was mailed to. Throws ApiError: LINK_INVALID and the refusals of a new
 * password.
 */
export async function resetPasswordByLink(token: string, password: string): Promise<void> {
  await retryOnExpiredKey(async () =>
    call(auth.confirmForgotPassword, { body: { token, encrypted_password: await sealPassword(password) } }),
  )
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await call(myInfo).catch(() => undefined)
}
