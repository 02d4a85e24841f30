import type { MiddlewareHandler } from 'hono'
import type { Deps } from '../Deps.ts'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * An answer of a server that is about to stop is the last of its connection: a proxy that kept it would send the next request into
 * the very moment it is closed, and may not send that one again.
 */
export const closeWhenStopping =
  ({ isStopping }: Pick<Deps, 'isStopping'>): MiddlewareHandler<PortalEnv> =>
  async (c, next) => {
    await next()
    if (isStopping()) c.res.headers.set('connection', 'close')
  }
