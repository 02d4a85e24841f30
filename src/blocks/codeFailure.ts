import { ApiError } from '../api/ApiError.ts'
import type { FormFailure } from '../ui/form/useForm.ts'
import { toFormFailure } from './record/toFormFailure.ts'

/**
 * Why a code was not taken, at its field `code`. A wrong one is cleared, for nobody repairs six digits; so is one that has to
 * wait, for it will be another by then.
 */
export function codeFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isLineFault) return { message: 'Checking a code needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'MFA_CODE_WRONG': {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'code', message }], clears: ['code'] }
    }
    case 'TOO_MANY_ATTEMPTS':
      return { ...toFormFailure(error), clears: ['code'] }
    default:
      return toFormFailure(error)
  }
}
