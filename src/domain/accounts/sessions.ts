import * as v from 'valibot'

/** What the browser reads of its own token; the signature is the server's business. Times are seconds (spec §3). */
const Claims = v.object({ sub: v.string(), sid: v.string(), exp: v.number(), iat: v.number() })
export type Claims = v.InferOutput<typeof Claims>

/** The claims of a JWT, or `undefined` for anything that is not one. */
export function readClaims(token: string): Claims | undefined {
  try {
    const payload = token.split('.')[1] ?? ''
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
    const parsed = v.safeParse(Claims, JSON.parse(json))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/**
 * Spec §4: a token is missing, valid or expired. `now` is the server's time in milliseconds as the client reckons it, so
 * that a wrong clock neither refreshes all day nor never.
 */
export function tokenState(token: string | undefined, now: number): 'missing' | 'valid' | 'expired' {
  const claims = token === undefined ? undefined : readClaims(token)
  if (!claims) return 'missing'
  return claims.exp * 1000 > now ? 'valid' : 'expired'
}
