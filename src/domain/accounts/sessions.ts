import * as v from 'valibot'
import { binaryOf } from '../base64url.ts'

/** The fields of a token that the browser reads; only the server checks the signature. Times are seconds (rule 4.1). */
const Claims = v.object({ sub: v.string(), sid: v.string(), exp: v.number(), iat: v.number() })

export type Claims = v.InferOutput<typeof Claims>

/** Returns the claims of a JWT, or `undefined` for any other text. */
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
 * Returns the state of a token. `now` is the server's time in milliseconds, as the client calculates it: a client with a wrong clock would otherwise
 * refresh constantly, or never.
 */
export function tokenState(token: string | undefined, now: number): 'missing' | 'valid' | 'expired' {
  const claims = token === undefined ? undefined : readClaims(token)
  if (!claims) return 'missing'
  return claims.exp * 1000 > now ? 'valid' : 'expired'
}

/** The time before the idle limit at which the person is asked if they are still there (rule 4.7). */
export const WARNING_SECONDS = 120

export type IdleState = { is: 'active' } | { is: 'warning'; secondsLeft: number } | { is: 'over' }

/**
 * Returns the state of a session that ends `idleSeconds` after the person's last action. Times are milliseconds of one clock. If an action is "in
 * the future", the clock was set back: the action then counts as now.
 */
export function idleState(lastActionAt: number, idleSeconds: number, now: number): IdleState {
  const idle = Math.max(0, now - lastActionAt) / 1000
  const secondsLeft = Math.ceil(idleSeconds - idle)
  if (secondsLeft <= 0) return { is: 'over' }
  return secondsLeft <= Math.min(WARNING_SECONDS, idleSeconds / 2) ? { is: 'warning', secondsLeft } : { is: 'active' }
}
