import type { Context } from 'hono'
import { ERROR_STATUS, type ErrorCode, type Failure } from '../../src/contract/envelope.ts'
import { HungUp } from '../db/engine/Batch.ts'
import { databaseCode, isUnavailable, rootCause } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { Refusal, SERVER_BUSY } from '../services/Refusal.ts'
import { Unavailable } from '../store/FileStore.ts'
import { hasHungUp } from './callerOf.ts'
import { ERROR_MESSAGES } from './errorMessages.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** When whoever is told 503 is to come again at the soonest. Another server takes over for one that stops. */
const RETRY_SECONDS: Partial<Record<ErrorCode, number>> = { SERVER_BUSY: 1, STOPPING: 1, DB_UNAVAILABLE: 2 }
const RETRY_SERVICE_SECONDS = 5

/**
 * The envelope of rule 12.3 for whatever was thrown. What nobody expected is logged, and told nobody. A file that was begun before
 * is released: nobody will read it.
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
  // Somebody forged it, or our own secret has changed: either is for an operator to know (SES-01).
  if (refusal.code === 'TOKEN_INVALID') log.warn('token_refused', { request_id: body.request_id })
  const status = ERROR_STATUS[refusal.code]
  if (status === 401) c.header('www-authenticate', 'Bearer')
  const retryAfter = status === 503 ? comeBackIn(c, refusal.code) : refusal.retryAfterSeconds
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
  return c.json(body, status)
}

/** Whole seconds. What is about one caller, 429, has a time of its own; 503 is told to everybody, so each has a turn. */
function comeBackIn(c: Context<PortalEnv>, code: ErrorCode): number {
  const least = RETRY_SECONDS[code] ?? RETRY_SERVICE_SECONDS
  // A turn that nobody hears of would stay empty.
  const turn = hasHungUp(c) ? undefined : c.get('queue')?.turnOfRefused()
  return Math.round(least + (turn ?? 0))
}

/** What somebody is told of whatever was thrown. What nobody expected is logged. */
function refusalOf(error: unknown, log: Log, requestId: string | undefined): Refusal {
  if (error instanceof Refusal) return error
  // Nothing was done, and nobody hears it.
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
