import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { Settings } from '../Deps.ts'
import type { PortalEnv } from './PortalEnv.ts'

const ANSWER_HEADERS = ['content-disposition', 'idempotent-replayed', 'retry-after', 'x-request-id', 'x-row-count']
const REQUEST_HEADERS = ['authorization', 'content-type', 'idempotency-key', 'idle-seconds', 'login-type']
const PREFLIGHT_SECONDS = 600

/**
 * Lets the portals of the configured origins call this server (spec §7: a base can be overridden, and travels with
 * credentials). To any other origin the answer is as if there were no such thing: no header at all (cases SES-23).
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
    // A cache must not hand this answer to a portal that may read it, nor the other way round.
    if (portalOrigins.length > 0) c.header('vary', 'Origin', { append: true })
    return undefined
  }
}
