import { call } from '../../../api/call.ts'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import { myInfo } from '../../../contract/accounts/account.ts'
import * as auth from '../../../contract/accounts/auth.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { visitor } from '../../../state/auth.ts'
import { openSession } from '../sign-in/signIn.ts'

/**
 * Sets the password of an account, identified by its activation link or by the challenge of a login, and logs in. Throws
 * ApiError: LINK_INVALID, CHALLENGE_EXPIRED and the refusals of a new password.
 */
export async function setNewPassword(
  by: { token: string } | { session: string },
  password: string,
): Promise<SignInStep> {
  const step = await retryOnExpiredKey(async () =>
    call(auth.setNewPassword, { body: { ...by, encrypted_new_password: await sealPassword(password) } }),
  )
  if (!('challenge' in step)) await openSession(step)
  return step
}

/** Sets the password of the account that the link was mailed to. Throws ApiError: LINK_INVALID and the refusals of a new password. */
export async function resetPasswordByLink(token: string, password: string): Promise<void> {
  await retryOnExpiredKey(async () =>
    call(auth.confirmForgotPassword, { body: { token, encrypted_password: await sealPassword(password) } }),
  )
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await call(myInfo).catch(() => undefined)
}
