import { ApiError } from '../../api/ApiError.ts'
import { codeFailure } from '../../blocks/codeFailure.ts'
import type { FormFailure } from '../../ui/form/useForm.ts'

/** Why password and code were not taken, each at its field. */
export function reauthenticationFailure(error: unknown): FormFailure {
  if (error instanceof ApiError) {
    if (error.isLineFault) return { message: 'This needs a connection. What you typed is kept.' }
    if (error.code === 'WRONG_PASSWORD') {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'current_password', message }] }
    }
  }
  return codeFailure(error)
}
