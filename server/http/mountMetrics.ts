import { createHash, timingSafeEqual } from 'node:crypto'
import type { Hono } from 'hono'
import type { Metrics } from '../metrics.ts'
import { Refusal } from '../services/Refusal.ts'
import { bearerToken } from './bearerToken.ts'
import type { PortalEnv } from './PortalEnv.ts'

/**
 * What the process counts, for an operator's Prometheus. It has a token of its own, for nobody signs in here and no merchant is
 * to see how much the whole programme redeems; without one the path does not exist.
 */
export function mountMetrics(app: Hono<PortalEnv>, metrics: Metrics, token: string): void {
  app.get('/api/metrics', async (c) => {
    const given = bearerToken(c.req.header('authorization'))
    if (given === undefined) throw new Refusal('TOKEN_MISSING')
    if (!isSame(given, token)) throw new Refusal('TOKEN_INVALID')
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
  })
}

/** In a time that tells nothing of how much of it was right; the digests are of one length. */
const isSame = (given: string, token: string) => timingSafeEqual(digest(given), digest(token))
const digest = (text: string) => createHash('sha256').update(text).digest()
