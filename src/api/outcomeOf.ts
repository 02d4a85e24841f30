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
    return isFinal(error) ? { kind: 'refused', refused: refusedOf(error) } : laterOf(error)
  }
}

/** Try later, after the wait that the server asked for, if any. */
export function laterOf(error: ApiError): Extract<Outcome<never>, { kind: 'later' }> {
  const { statusMessage: message, isConnectionFault: connectionFailed, retryAfterSeconds: wait } = error
  if (!wait) return { kind: 'later', connectionFailed, message }
  return { kind: 'later', connectionFailed, ...(error.isBusy && { isBusy: true }), message, retryAfterMs: wait * 1000 }
}

/** Notes a failure of a queue's request on the device. */
export const noted =
  <T>(work: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ApiError) ports().onTrouble('queue', error)
      throw error
    }
  }

const refusedOf = ({ code, statusMessage, data, retryAfterSeconds }: ApiError) => ({
  code,
  message: statusMessage,
  data: { ...data, ...(retryAfterSeconds ? { retry_after_seconds: retryAfterSeconds } : {}) },
})
