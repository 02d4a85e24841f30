import { authApi } from '../../api/portal.ts'
import { sealPassword, retryOnExpiredKey } from '../../blocks/accounts/passwords/sealPassword.ts'
import type { SignInStep } from '../../contract/accounts/auth.ts'
import { openSession } from '../accounts/sign-in/signIn.ts'

export type Credentials = { password: string } & (
  { kind: 'merchant'; email: string } | { kind: 'pos'; username: string }
)

/** Signs in and stores the session, unless the server asks for more first. Throws ApiError. */
export async function signIn({ password, ...who }: Credentials): Promise<SignInStep> {
  const step = await retryOnExpiredKey(async () =>
    authApi.login({ body: { ...who, encrypted_password: await sealPassword(password) } }),
  )
  if (!('challenge' in step)) await openSession(step)
  return step
}
