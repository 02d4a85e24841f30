import type { Outcome } from '../domain/Outcome.ts'
import { ApiError } from './ApiError.ts'
import { ports } from './ports.ts'

/** Runs a request for a queue. `isFinal` says which failures are the server's last word. */
export async function outcomeOf<T>(
  work: () => Promise<T>,
  isFinal = (error: ApiError) => !error.isTransient,
): Promise<Outcome<T>> {
  try {
    return { kind: 'done', answer: await work() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Except a 401 of a network's own login page: that is the connection's fault.
    if (error.statusCode === 401 && !error.isConnectionFault) return { kind: 'logIn', message: error.statusMessage }
    return isFinal(error) ? { kind: 'refused', refused: makeRefused(error) } : toRetryLater(error)
  }
}

/** Returns that the request must be tried again later, after the server's wait, if any. */
export function toRetryLater(error: ApiError): Extract<Outcome<never>, { kind: 'later' }> {
  const { statusMessage: message, isConnectionFault: connectionFailed, retryAfterSeconds: wait } = error
  if (!wait) return { kind: 'later', connectionFailed, message }
  return { kind: 'later', connectionFailed, ...(error.isBusy && { isBusy: true }), message, retryAfterMs: wait * 1000 }
}

/** Wraps a queue's request, so that its failure is noted on the device. */
export const noteFailures =
  <T>(work: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ApiError) ports().onTrouble('queue', error)
      throw error
    }
  }

const makeRefused = ({ code, statusMessage, data, retryAfterSeconds }: ApiError) => ({
  code,
  message: statusMessage,
  data: { ...data, ...(retryAfterSeconds ? { retry_after_seconds: retryAfterSeconds } : {}) },
})
