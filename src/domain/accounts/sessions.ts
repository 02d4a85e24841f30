import * as v from 'valibot'
import { binaryOf } from '../base64url.ts'

/** What the browser reads of its own token; the signature is the server's business. Times are seconds (rule 4.1). */
const Claims = v.object({ sub: v.string(), sid: v.string(), exp: v.number(), iat: v.number() })

export type Claims = v.InferOutput<typeof Claims>

/** The claims of a JWT, or `undefined` for anything that is not one. */
export function readClaims(token: string): Claims | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const parsed = v.safeParse(Claims, JSON.parse(binaryOf(payload)))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/**
 * A token is missing, valid or expired. `now` is the server's time in milliseconds as the client reckons it, so
 * that a wrong clock neither refreshes all day nor never.
 */
export function tokenState(token: string | undefined, now: number): 'missing' | 'valid' | 'expired' {
  const claims = token === undefined ? undefined : readClaims(token)
  if (!claims) return 'missing'
  return claims.exp * 1000 > now ? 'valid' : 'expired'
}

/** How long before the limit the person is asked whether they are still there (rule 4.7). */
export const WARNING_SECONDS = 120

export type IdleState = { is: 'active' } | { is: 'warning'; secondsLeft: number } | { is: 'over' }

/**
 * What the time since the person's last action means for a session that ends after `idleSeconds` of it. Times are
 * milliseconds of one clock; an action "in the future" is a clock that was set back, and counts as now.
 */
export function idleState(lastActionAt: number, idleSeconds: number, now: number): IdleState {
  const idle = Math.max(0, now - lastActionAt) / 1000
  const secondsLeft = Math.ceil(idleSeconds - idle)
  if (secondsLeft <= 0) return { is: 'over' }
  return secondsLeft <= Math.min(WARNING_SECONDS, idleSeconds / 2) ? { is: 'warning', secondsLeft } : { is: 'active' }
}
