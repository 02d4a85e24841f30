import { authApi } from '../../api/portal.ts'
import type { SignInStep } from '../../contract/auth.ts'
import { profileOf } from '../../api/profileOf.ts'
import { sealPassword, withLiveKey } from '../../blocks/sealPassword.ts'
import { signedIn } from '../../state/auth.ts'
import { passwordPromptRead } from '../../state/passwordPrompt.ts'
import { noteAction } from '../../state/person.ts'
import { setMultiLoginMessage } from '../../state/shell.ts'

export type Credentials = { password: string } & (
  { kind: 'merchant'; email: string } | { kind: 'pos'; username: string }
)

/** Signs in and stores the session, unless the server asks for more first. Throws ApiError. */
export async function signIn({ password, ...who }: Credentials): Promise<SignInStep> {
  const step = await withLiveKey(async () =>
    authApi.login({ body: { ...who, encrypted_password: await sealPassword(password) } }),
  )
  if ('challenge' in step) return step
  const { access_token, public_key } = step
  const profile = await profileOf(access_token)
  setMultiLoginMessage('')
  noteAction()
  passwordPromptRead(profile)
  signedIn({ token: access_token, publicKey: public_key, ...profile })
  return step
}
