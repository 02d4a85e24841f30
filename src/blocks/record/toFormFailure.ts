import { ApiError } from '../../api/ApiError.ts'
import { waitText, type FormFailure } from '../../ui/form/formErrors.ts'

/** Where the server names no wait. */
const WAIT_SECONDS = 60

/** A rejected call as a form shows it: the server's message, and its words at the fields. Anything else is a bug and is thrown on. */
export function toFormFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'TOO_MANY_ATTEMPTS') {
    return { message: `Too many attempts. Try again in ${waitText(error.retryAfterSeconds ?? WAIT_SECONDS)}.` }
  }
  return { message: error.statusMessage, fields: error.fields }
}
