import { ApiError } from '../../api/ApiError.ts'
import { waitText, type FormFailure } from '../../ui/form/formErrors.ts'

/** Used if the server names no waiting time. */
const WAIT_SECONDS = 60

/**
 * Turns a rejected call into the failure that a form shows: the server's message, and its messages for the fields. Throws any
 * other error again, since it is a bug.
 */
export function toFormFailure(error: unknown): FormFailure {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'TOO_MANY_ATTEMPTS') {
    return { message: `Too many attempts. Try again in ${waitText(error.retryAfterSeconds ?? WAIT_SECONDS)}.` }
  }
  return { message: error.statusMessage, fields: error.fields }
}
