import type { Context } from 'hono'
import { ERROR_STATUS, type Failure } from '../../src/contract/envelope.ts'
import { HungUp } from '../db/engine/Batch.ts'
import { databaseCode, isUnavailable, rootCause } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { Refusal, SERVER_BUSY } from '../services/Refusal.ts'
import { Unavailable } from '../store/FileStore.ts'
import type { Admission } from './Admission.ts'
import { hasHungUp } from './callerOf.ts'
import { ERROR_MESSAGES } from './errorMessages.ts'
import type { PortalEnv } from './PortalEnv.ts'

const RETRY_DATABASE_SECONDS = 2
const RETRY_SERVICE_SECONDS = 5

/**
 * The envelope of rule 12.3 for whatever was thrown. What nobody expected is logged, and told nobody. A file that was begun before
 * is released: nobody will read it.
 */
export async function answerFailure(
  c: Context<PortalEnv>,
  error: unknown,
  { log, admission }: { log: Log; admission: Admission },
): Promise<Response> {
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
  const { retryAfterSeconds: least } = refusal
  // What is about one caller, 429, has a time of its own; 503 is told to everybody.
  const isForAll = least !== undefined && status === 503
  const retryAfter = isForAll ? await admission.comeBackIn(c.get('lane') ?? 'others', least, () => hasHungUp(c)) : least
  if (retryAfter !== undefined) c.header('retry-after', String(retryAfter))
  return c.json(body, status)
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
  return isDown ? new Refusal('DB_UNAVAILABLE', { retryAfterSeconds: RETRY_DATABASE_SECONDS }) : new Refusal('INTERNAL')
}

function serviceUnavailable({ code, message }: Unavailable, log: Log, requestId: string | undefined): Refusal {
  log.error(code.toLowerCase(), { request_id: requestId, message })
  return new Refusal(code, { retryAfterSeconds: RETRY_SERVICE_SECONDS })
}
