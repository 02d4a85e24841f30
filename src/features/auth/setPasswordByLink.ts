import { accountApi, authApi } from '../../api/portal.ts'
import { sealPassword, retryOnExpiredKey } from '../../blocks/accounts/passwords/sealPassword.ts'
import { visitor } from '../../state/auth.ts'

/** Sets the password of whoever the link was mailed to. Throws ApiError: LINK_INVALID and the refusals of a new password. */
export async function resetPasswordByLink(token: string, password: string): Promise<void> {
  await retryOnExpiredKey(async () =>
    authApi.confirmForgotPassword({ body: { token, encrypted_password: await sealPassword(password) } }),
  )
  // Every session of that account has ended. If this browser has one, the server's 401 ends it here too.
  if (visitor()) await accountApi.myInfo().catch(() => undefined)
}
