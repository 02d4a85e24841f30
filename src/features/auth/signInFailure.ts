import { ApiError } from '../../api/ApiError.ts'
import { failureOf } from '../../blocks/failureOf.ts'
import type { FormFailure } from '../../ui/useForm.ts'

/** Why a sign-in failed, at the password where that is the place. It never tells whether an account exists. */
export function signInFailure(error: unknown, name: 'Email' | 'Username'): FormFailure {
  if (!(error instanceof ApiError)) return failureOf(error)
  if (error.isLineFault) return { message: 'Logging in needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'INVALID_CREDENTIALS': {
      const message = `${name} or password is not right.`
      return { message, fields: [{ path: 'password', message }] }
    }
    case 'TOO_MANY_ATTEMPTS':
      return throttled(failureOf(error), name === 'Email' ? 'email' : 'username')
    default:
      return failureOf(error)
  }
}

/** The wait is the account's: somebody else may log in at this device meanwhile. */
const throttled = ({ wait, ...failure }: FormFailure, field: string): FormFailure =>
  wait ? { ...failure, wait: { ...wait, field } } : failure
