import { ApiError } from '../../../api/ApiError.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import type { LoginStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { logIn, type Credentials } from './logIn.ts'
import { LOGIN_OFFLINE } from './submitLogin.ts'

/** Tries to log in. Passes the next step to `onStep`, or returns the failure that the form shows. */
export const attemptLogin = (
  credentials: Credentials,
  onStep: (step: LoginStep) => void,
): Promise<FormFailure | void> =>
  logIn(credentials).then(onStep, (error: unknown) => loginFailure(error, credentials.kind))

/** Returns the failure that the form shows after an error. No message tells if an account exists. */
export function loginFailure(error: unknown, kind: 'merchant' | 'pos'): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return LOGIN_OFFLINE
  if (error.code !== 'INVALID_CREDENTIALS') return toFormFailure(error)
  const message = `${kind === 'merchant' ? 'Email' : 'Username'} or password is incorrect.`
  return { message, fields: [{ path: 'password', message }] }
}
