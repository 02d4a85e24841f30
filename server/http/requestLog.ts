import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Gives every request an id, and every API call one line: the route as declared, so that no id or serial gets in. */
export function requestLog(log: Log): MiddlewareHandler<PortalEnv> {
  return async (c, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set('x-request-id', requestId)
    const route = c.get('route')
    if (route === undefined) return
    log.info('request', {
      request_id: requestId,
      method: c.req.method,
      route,
      status: c.res.status,
      error: c.get('error'),
      user: c.get('userId'),
      ms: Math.round(performance.now() - started),
    })
  }
}
