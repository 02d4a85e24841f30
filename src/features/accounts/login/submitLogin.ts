import type { LoginStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import type { Credentials } from './logIn.ts'

// The prerendered login also imports this file, so this file imports only types.

/** Shown if this browser did not get the server's own text (rule 4.5). */
export const MULTI_LOGIN_MESSAGE = 'This account logged in on another device. Only one active session is allowed.'

export const LOGIN_OFFLINE: FormFailure = { message: 'Logging in needs a connection. What you typed is kept.' }

/** Loads the code that logs in. Called after the login is drawn. */
export const loadAttemptLogin = () => import('./attemptLogin.ts')

/** Submits a login form. Returns the failure, or nothing after a success. */
export async function submitLogin(
  credentials: Credentials,
  onStep: (step: LoginStep) => void,
): Promise<FormFailure | void> {
  const loaded = await loadAttemptLogin().catch(() => undefined)
  return loaded ? loaded.attemptLogin(credentials, onStep) : LOGIN_OFFLINE
}
