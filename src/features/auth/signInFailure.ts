import { ApiError } from '../../api/ApiError.ts'
import { failureOf } from '../../blocks/record/toFormFailure.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'
import { LINE_DOWN } from '../accounts/sign-in/submitSignIn.ts'

/** Why a sign-in failed, at the password where that is the place. It never tells whether an account exists. */
export function signInFailure(error: unknown, kind: 'merchant' | 'pos'): FormFailure {
  if (!(error instanceof ApiError)) return failureOf(error)
  if (error.isLineFault) return LINE_DOWN
  const name = kind === 'merchant' ? 'Email' : 'Username'
  switch (error.code) {
    case 'INVALID_CREDENTIALS': {
      const message = `${name} or password is not right.`
      return { message, fields: [{ path: 'password', message }] }
    }
    case 'TOO_MANY_ATTEMPTS':
      return throttled(failureOf(error), name.toLowerCase())
    default:
      return failureOf(error)
  }
}

/** The wait is the account's: somebody else may log in at this device meanwhile. */
const throttled = ({ wait, ...failure }: FormFailure, field: string): FormFailure =>
  wait ? { ...failure, wait: { ...wait, field } } : failure
