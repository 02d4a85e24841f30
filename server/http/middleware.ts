import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { DEVICE_ORDER_HEADER, DEVICE_REPORT_HEADER } from '../../src/contract/devices/deviceReports.ts'
import { FILE_SIZE_HEADER } from '../../src/contract/endpoint.ts'
import { BACKLOG_HEADER } from '../../src/contract/redemptions/sync.ts'
import type { Deps, Settings } from '../Deps.ts'
import type { Caller } from '../services/accounts/sessions/Actor.ts'
import { hearDeviceReport } from '../services/devices/deviceReports.ts'
import { callerOf, deviceName } from './callerOf.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Gives every request an id, and every API call a log entry and a count. Both name the declared route instead of the path, so no serial of a path gets in. */
export function requestLog({ log, metrics }: Pick<Deps, 'log' | 'metrics'>): MiddlewareHandler<PortalEnv> {
  return async (c, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('x-request-id', requestId)
    const route = c.get('route')
    if (route === undefined) return
    const answered = { method: c.req.method, route, status: c.res.status, error: c.get('error') }
    const ms = performance.now() - started
    log.info('request', { request_id: requestId, ...answered, user: c.get('userId'), ms: Math.round(ms) })
    metrics.requestAnswered({ ...answered, seconds: ms / 1_000 })
  }
}

/**
 * Closes the connection after every answer of a server that is about to stop. A proxy that kept the connection might send a request just as the
 * server closes it, and may not send this request again.
 */
export const closeWhenStopping =
  ({ isStopping }: Pick<Deps, 'isStopping'>): MiddlewareHandler<PortalEnv> =>
  async (c, next) => {
    await next()
    if (isStopping()) c.res.headers.set('connection', 'close')
  }

/**
 * Reads the report that a till sends with its calls, and stores it after the answer (decision 0079). An order for the till is found too late
 * for that answer. So the till's next report is stored first, and its answer carries the order.
 */
export function hearReports(deps: Deps): MiddlewareHandler<PortalEnv> {
  const { log } = deps
  /** The cookie hashes of tills that must remove their stored data. The set stays small: a till is added only by a report to this server. */
  const toRemove = new Set<string>()
  const hear = async (report: string, caller: Caller, userAgent: string) => {
    const order = await hearDeviceReport(deps, report, caller, () => deviceName(userAgent))
    if (order === 'remove') toRemove.add(caller.tillTokenHash!)
    else if (order === 'nothing') toRemove.delete(caller.tillTokenHash!)
    return order
  }
  return async (c, next) => {
    await next()
    const report = c.req.header(DEVICE_REPORT_HEADER)
    if (report === undefined) return
    const caller = callerOf(c, deps)
    if (caller.tillTokenHash === undefined) return
    const userAgent = c.req.header('user-agent') ?? ''
    if (toRemove.size > 0 && toRemove.has(caller.tillTokenHash)) {
      // Stores this report before the answer: another server may know by now that the till has removed everything, or was enrolled again. Only a
      // revoked till waits for this.
      const order = await hear(report, caller, userAgent).catch((error: Error) => {
        log.error('device_report_failed', { name: error.name })
        return undefined
      })
      if (order === 'remove') c.res.headers.set(DEVICE_ORDER_HEADER, order)
      return
    }
    deps.background.run('device_report_failed', () => hear(report, caller, userAgent))
  }
}

const ANSWER_HEADERS = ['content-disposition', DEVICE_ORDER_HEADER, 'retry-after', FILE_SIZE_HEADER, 'x-request-id']

const REQUEST_HEADERS = [
  'authorization',
  BACKLOG_HEADER,
  'content-type',
  DEVICE_REPORT_HEADER,
  'idempotency-key',
  'idle-seconds',
  'login-type',
]

const PREFLIGHT_SECONDS = 600

/**
 * Lets the portals of the configured origins call this server (rule 12.2: a base can be overridden, and requests carry credentials). Any other
 * origin gets no CORS header at all (SES-23).
 */
export function crossOrigin({ portalOrigins = [] }: Settings): MiddlewareHandler<PortalEnv> {
  const allow = cors({
    origin: [...portalOrigins],
    credentials: true,
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: ANSWER_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  })
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (origin !== undefined && portalOrigins.includes(origin)) return allow(c, next)
    await next()
    // A cache must not give this answer to a portal that may read it, nor the other way round.
    if (portalOrigins.length > 0) c.header('vary', 'Origin', { append: true })
    return undefined
  }
}
