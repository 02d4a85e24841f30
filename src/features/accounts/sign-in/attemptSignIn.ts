import { ApiError } from '../../../api/ApiError.ts'
import { toFormFailure } from '../../../blocks/record/toFormFailure.ts'
import type { SignInStep } from '../../../contract/accounts/auth.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { signIn, type Credentials } from './signIn.ts'
import { SIGN_IN_OFFLINE } from './submitSignIn.ts'

/** One attempt. It ends in a step, or in the failure that the form shows. */
export const attemptSignIn = (
  credentials: Credentials,
  onStep: (step: SignInStep) => void,
): Promise<FormFailure | void> =>
  signIn(credentials).then(onStep, (error: unknown) => signInFailure(error, credentials.kind))

/** Why a login failed, at the password field where it fits. It never tells whether an account exists. */
export function signInFailure(error: unknown, kind: 'merchant' | 'pos'): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return SIGN_IN_OFFLINE
  if (error.code !== 'INVALID_CREDENTIALS') return toFormFailure(error)
  const message = `${kind === 'merchant' ? 'Email' : 'Username'} or password is not right.`
  return { message, fields: [{ path: 'password', message }] }
}
