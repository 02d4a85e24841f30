import * as v from 'valibot'
import { ApiError } from '../../../api/ApiError.ts'
import { authCode, recoveryCode } from '../../../contract/wireFields.ts'
import type { FormFailure } from '../../../ui/form/useForm.ts'
import { codeFailure } from './CodeFields.tsx'

/** Six digits with spaces are ten characters at most; a recovery code has sixteen. */
const looksLikeAuthCode = (typed: unknown) => typeof typed === 'string' && /^[\d\s-]{0,10}$/.test(typed)

/** Of the authenticator app, which may be lost: a recovery code is accepted too. */
export const anyCode = v.lazy((typed) => (looksLikeAuthCode(typed) ? authCode : recoveryCode))

/** Why password or code was refused, at its field. */
export function reauthenticationFailure(error: unknown): FormFailure {
  if (error instanceof ApiError) {
    if (error.isConnectionFault) return { message: 'This needs a connection. What you typed is kept.' }
    if (error.code === 'WRONG_PASSWORD') {
      const message = error.fields[0]?.message ?? error.statusMessage
      return { message, fields: [{ path: 'current_password', message }] }
    }
  }
  return codeFailure(error)
}
