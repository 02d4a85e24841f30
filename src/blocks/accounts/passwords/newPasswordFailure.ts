import { ApiError } from '../../../api/ApiError.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { toFormFailure } from '../../record/toFormFailure.ts'

/**
 * Returns why a new password was refused, for the field where it was typed. The API names the encrypted fields, so the error code
 * decides which field is meant.
 */
export function newPasswordFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return { message: 'Setting a password needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'WRONG_PASSWORD':
      return failureAt('current_password', error)
    case 'PASSWORD_REUSED':
    case 'PASSWORD_TOO_COMMON':
    case 'PASSWORD_REFUSED':
      return failureAt('new_password', error)
    default:
      return toFormFailure(error)
  }
}

function failureAt(path: 'current_password' | 'new_password', { fields, statusMessage }: ApiError): FormFailure {
  const message = fields[0]?.message ?? statusMessage
  return { message, fields: [{ path, message }] }
}
