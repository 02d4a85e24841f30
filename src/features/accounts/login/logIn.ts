import { call, readProfile } from '../../../api/call.ts'
import { retryOnExpiredKey, sealPassword } from '../../../blocks/accounts/passwords/sealPassword.ts'
import { login, type Challenge, type LoginStep } from '../../../contract/accounts/auth.ts'
import { storeLogin } from '../../../state/auth.ts'
import { noteAction } from '../../../state/lastAction.ts'
import { storePasswordPrompt } from '../../../state/passwordPrompt.ts'
import { clearLoginNotices } from '../../../state/shell.ts'

/** A login that is complete at the server. */
export interface CompletedLogin {
  access_token: string
  public_key: string
  /** When the answer came, in ms by this device's clock. Set if the session is stored later. */
  answered_at?: number
}

/** Reads the profile of the token and stores the session: from here on this browser is logged in. Throws ApiError. */
export async function openSession({ access_token, public_key, answered_at }: CompletedLogin): Promise<void> {
  const profile = await readProfile(access_token)
  clearLoginNotices()
  noteAction()
  storePasswordPrompt(profile)
  storeLogin({ token: access_token, publicKey: public_key, answeredAt: answered_at ?? Date.now(), ...profile })
}

export type Credentials = { password: string } & (
  | { kind: 'merchant'; email: string }
  | { kind: 'pos'; username: string }
)

/** Logs in and stores the session, unless the server requires a further step first. Throws ApiError. */
export async function logIn({ password, ...who }: Credentials): Promise<LoginStep> {
  const step = await retryOnExpiredKey(async () =>
    call(login, { body: { ...who, encrypted_password: await sealPassword(password) } }),
  )
  if (!('challenge' in step)) await openSession(step)
  return step
}

export interface LoginName {
  kind: 'merchant' | 'pos'
  /** Empty after an activation, where it is not known. */
  loginName: string
}

/** A login that needs a further step. Kept only in memory, because it proves a correct password. */
export interface PendingLogin extends LoginName {
  challenge: Challenge
  /** Opaque, and valid for ten minutes. */
  session: string
}

/** The props of every step between a correct password and a session. */
export interface ChallengeProps {
  pending: PendingLogin
  onStep: (step: LoginStep) => void
  /** Called with every failure. A failure that ends the challenge leads back to the login. */
  onFailure: (error: unknown) => void
  /** Called when the person goes back to the login. */
  onLeave: () => void
}
