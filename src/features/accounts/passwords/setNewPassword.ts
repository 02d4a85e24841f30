import { authApi } from '../../../api/portal.ts'
import { sealPassword, retryOnExpiredKey } from '../../../blocks/accounts/passwords/sealPassword.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import { openSession } from '../sign-in/signIn.ts'

/**
 * Sets the password of an account, known by its activation link or by the challenge of a login, and goes on signing in. Throws
 * ApiError: LINK_INVALID, CHALLENGE_EXPIRED and the refusals of a new password.
 */
export async function setNewPassword(
  by: { token: string } | { session: string },
  password: string,
): Promise<SignInStep> {
  const step = await retryOnExpiredKey(async () =>
    authApi.setNewPassword({ body: { ...by, encrypted_new_password: await sealPassword(password) } }),
  )
  if (!('challenge' in step)) await openSession(step)
  return step
}
