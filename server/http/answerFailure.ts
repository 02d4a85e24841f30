import type { Context } from 'hono'
import { ERROR_STATUS, type Failure } from '../../src/contract/envelope.ts'
import { databaseCode, isUnavailable, rootCause } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { Refusal } from '../services/Refusal.ts'
import { Unavailable } from '../store/Unavailable.ts'
import { ERROR_MESSAGES } from './errorMessages.ts'
import type { PortalEnv } from './PortalEnv.ts'

const RETRY_DATABASE_SECONDS = 2
const RETRY_SERVICE_SECONDS = 5

/** The envelope of rule 12.3 for whatever was thrown. What nobody expected is logged, and told nobody. */
export function answerFailure(c: Context<PortalEnv>, error: unknown, log: Log): Response {
  const refusal = error instanceof Refusal ? error : unexpectedFailure(c, error, log)
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
  if (refusal.retryAfterSeconds !== undefined) c.header('retry-after', String(refusal.retryAfterSeconds))
  return c.json(body, status)
}

function unexpectedFailure(c: Context<PortalEnv>, error: unknown, log: Log): Refusal {
  if (error instanceof Unavailable) return serviceUnavailable(c, error, log)
  const root = rootCause(error)
  const isDown = isUnavailable(error)
  log.error(isDown ? 'database_unavailable' : 'unexpected_error', {
    request_id: c.get('requestId'),
    code: databaseCode(error),
    message: root instanceof Error ? root.message : String(root),
    stack: !isDown && root instanceof Error ? root.stack : undefined,
  })
  return isDown ? new Refusal('DB_UNAVAILABLE', { retryAfterSeconds: RETRY_DATABASE_SECONDS }) : new Refusal('INTERNAL')
}

function serviceUnavailable(c: Context<PortalEnv>, { code, message }: Unavailable, log: Log): Refusal {
  log.error(code.toLowerCase(), { request_id: c.get('requestId'), message })
  return new Refusal(code, { retryAfterSeconds: RETRY_SERVICE_SECONDS })
}
