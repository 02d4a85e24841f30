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
  const name = kind === 'merchant' ? 'Email' : 'Username'
  switch (error.code) {
    case 'INVALID_CREDENTIALS': {
      const message = `${name} or password is not right.`
      return { message, fields: [{ path: 'password', message }] }
    }
    case 'TOO_MANY_ATTEMPTS':
      return throttleFailure(toFormFailure(error), name.toLowerCase())
    default:
      return toFormFailure(error)
  }
}

/** The wait is for this account only: somebody else may log in on this device meanwhile. */
const throttleFailure = ({ wait, ...failure }: FormFailure, field: string): FormFailure =>
  wait ? { ...failure, wait: { ...wait, field } } : failure
