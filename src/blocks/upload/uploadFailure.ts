import { ApiError } from '../../api/ApiError.ts'
import { waitText } from '../../ui/waitText.ts'

/** Why a file did not arrive, and that it is still there. A surprise is reported, and the person gets the spec's word for it. */
export function uploadFailure(error: unknown): string {
  if (!(error instanceof ApiError)) {
    reportError(error)
    return 'Please try again.'
  }
  if (error.isLineFault) return 'The upload was cut off. Try again when there is a connection.'
  if (error.code === 'TOO_MANY_ATTEMPTS') {
    return `Too many uploads. Try again in ${waitText(error.retryAfterSeconds ?? 60)}.`
  }
  return error.fields[0]?.message ?? error.statusMessage
}
