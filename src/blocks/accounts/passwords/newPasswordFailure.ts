import { ApiError } from '../../../api/ApiError.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { toFormFailure } from '../../record/toFormFailure.ts'

/**
 * Why a new password was not taken, at the field it was typed in: the wire knows the fields by their encrypted names, and says
 * which is meant by its code.
 */
export function newPasswordFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) return toFormFailure(error)
  if (error.isConnectionFault) return { message: 'Setting a password needs a connection. What you typed is kept.' }
  switch (error.code) {
    case 'WRONG_PASSWORD':
      return at('current_password', error)
    case 'PASSWORD_REUSED':
    case 'PASSWORD_TOO_COMMON':
    case 'PASSWORD_REFUSED':
      return at('new_password', error)
    default:
      return toFormFailure(error)
  }
}

function at(path: 'current_password' | 'new_password', { fields, statusMessage }: ApiError): FormFailure {
  const message = fields[0]?.message ?? statusMessage
  return { message, fields: [{ path, message }] }
}
