import { randomUUID } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../Deps.ts'
import type { PortalEnv } from './PortalEnv.ts'

/** Gives every request an id, and every API call one line and one count: the route as declared, so that no id or serial gets in. */
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
