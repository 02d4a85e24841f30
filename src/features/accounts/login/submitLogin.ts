import type { LoginStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import type { Credentials } from './logIn.ts'

// The prerendered login reads this file too, so it loads nothing by itself.

/** Shown where this browser did not get the server's own text (rule 4.5). */
export const MULTI_LOGIN_MESSAGE = 'This account logged in on another device. Only one active session is allowed.'

export const LOGIN_OFFLINE: FormFailure = { message: 'Logging in needs a connection. What you typed is kept.' }

/** Loaded after the login is drawn. */
export const loadAttemptLogin = () => import('./attemptLogin.ts')

/** Submits a form of the login. Returns nothing when it succeeded, else the failure. */
export async function submitLogin(
  credentials: Credentials,
  onStep: (step: LoginStep) => void,
): Promise<FormFailure | void> {
  const loaded = await loadAttemptLogin().catch(() => undefined)
  return loaded ? loaded.attemptLogin(credentials, onStep) : LOGIN_OFFLINE
}
