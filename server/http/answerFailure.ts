import type { Context, Handler } from 'hono'
import { ERROR_STATUS, type ErrorCode, type Failure } from '../../src/contract/envelope.ts'
import { HungUp } from '../db/engine/Batch.ts'
import { databaseCode, isUnavailable, rootCause } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { Refusal, SERVER_BUSY } from '../services/Refusal.ts'
import { Unavailable } from '../store/FileStore.ts'
import { hasHungUp } from './callerOf.ts'
import { jsonAnswer } from './compressed.ts'
import { ERROR_MESSAGES } from './errorMessages.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** The least seconds that a caller must wait after a 503. For a server that stops, another one takes over. */
const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = { SERVER_BUSY: 1, STOPPING: 1, DB_UNAVAILABLE: 2 }
const OTHER_RETRY_SECONDS = 5

/**
 * Answers an error with the envelope of rule 12.3. Unexpected errors are logged, and their details are not shown. A file that was begun is
 * released: it will not be read.
 */
export async function answerFailure(c: Context<PortalEnv>, error: unknown, { log }: { log: Log }): Promise<Response> {
  await c
    .get('file')
    ?.release()
    .catch(() => undefined)
  const refusal = refusalOf(error, log, c.get('requestId'))
  c.set('error', refusal.code)
  const body: Failure = {
    message: ERROR_MESSAGES[refusal.code],
    error: refusal.code,
    data: { ...(refusal.fields ? { fields: refusal.fields } : {}), ...refusal.data },
    request_id: c.get('requestId'),
  }
  // The token was forged, or the server's secret has changed: an operator must know about both (SES-01).
  if (refusal.code === 'TOKEN_INVALID') log.warn('token_refused', { request_id: body.request_id })
  const status = ERROR_STATUS[refusal.code]
  if (status === 401) c.header('www-authenticate', 'Bearer')
  const retryAfter = status === 503 ? secondsBeforeRetry(c, refusal.code) : refusal.retryAfterSeconds
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
  return jsonAnswer(c, body, status)
}

/** Answers 405 and names the methods of the path. Hono answers HEAD wherever it answers GET. */
export const refuseMethod =
  (methodsOf: (path: string) => readonly string[]): Handler<PortalEnv> =>
  (c) => {
    const allowed = methodsOf(c.req.path).flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    c.header('allow', [...new Set(allowed)].join(', '))
    throw new Refusal('METHOD_NOT_ALLOWED')
  }

/** Returns the whole seconds before a retry after a 503. Many callers get one at the same time, so each gets a different turn. */
function secondsBeforeRetry(c: Context<PortalEnv>, code: ErrorCode): number {
  const least = RETRY_SECONDS[code] ?? OTHER_RETRY_SECONDS
  // A caller that hung up would leave its turn unused.
  const turn = hasHungUp(c) ? undefined : c.get('queue')?.secondsUntilRetry()
  return Math.round(least + (turn ?? 0))
}

/** Turns an error into the refusal that the caller sees. Unexpected errors are logged. */
function refusalOf(error: unknown, log: Log, requestId: string | undefined): Refusal {
  if (error instanceof Refusal) return error
  // Nothing was done, and the caller is gone.
  if (error instanceof HungUp) return SERVER_BUSY
  if (error instanceof Unavailable) return serviceUnavailable(error, log, requestId)
  const root = rootCause(error)
  const isDown = isUnavailable(error)
  log.error(isDown ? 'database_unavailable' : 'unexpected_error', {
    request_id: requestId,
    code: databaseCode(error),
    message: root instanceof Error ? root.message : String(root),
    stack: !isDown && root instanceof Error ? root.stack : undefined,
  })
  return new Refusal(isDown ? 'DB_UNAVAILABLE' : 'INTERNAL')
}

function serviceUnavailable({ code, message }: Unavailable, log: Log, requestId: string | undefined): Refusal {
  log.error(code.toLowerCase(), { request_id: requestId, message })
  return new Refusal(code)
}
