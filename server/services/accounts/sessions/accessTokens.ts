import { jwtVerify, SignJWT } from 'jose'
import * as v from 'valibot'
import type { Deps } from '../../../Deps.ts'

const ACCESS_TOKEN_SECONDS = 10 * 60
const AUDIENCE = 'merchant-portal'
const TYPE = 'at+jwt'
const CACHE_SIZE = 10_000

/** The content of a token: ids, and times in seconds. Rights are not in it, because every call reads them from the session's row. */
const Claims = v.object({ sub: v.string(), sid: v.string(), jti: v.string(), iat: v.number(), exp: v.number() })
export type Claims = v.InferOutput<typeof Claims>

export interface AccessTokens {
  issue(ids: { userId: string; sessionId: string; jti: string }): Promise<string>
  /** Returns the claims of a token that this server signed, even an expired one; `undefined` for anything else. */
  read(token: string): Promise<Claims | undefined>
  isExpired(claims: Claims): boolean
}

/** Issues and reads the access tokens of one server: JWT, HS256 only, for this audience and issuer. */
export function accessTokens({ clock, secrets, settings }: Pick<Deps, 'clock' | 'secrets' | 'settings'>): AccessTokens {
  const cache = new Map<string, Claims>()
  const expected = {
    algorithms: ['HS256'],
    issuer: settings.publicUrl,
    audience: AUDIENCE,
    typ: TYPE,
    // The refresh accepts expired tokens, so exp is checked separately, by our own clock.
    currentDate: new Date(0),
  }

  async function verify(token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify(token, secrets.jwtSecret, expected)
      const parsed = v.safeParse(Claims, payload)
      return parsed.success ? parsed.output : undefined
    } catch {
      return undefined
    }
  }

  return {
    issue({ userId, sessionId, jti }) {
      const iat = Math.floor(clock.now().getTime() / 1_000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: TYPE })
        .setSubject(userId)
        .setJti(jti)
        .setIssuer(settings.publicUrl)
        .setAudience(AUDIENCE)
        .setIssuedAt(iat)
        .setExpirationTime(iat + ACCESS_TOKEN_SECONDS)
        .sign(secrets.jwtSecret)
    },

    async read(token) {
      const known = cache.get(token)
      if (known) return known
      const claims = await verify(token)
      if (!claims) return undefined
      // A Map keeps the order of insertion, so the first key is the oldest.
      if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? '')
      cache.set(token, claims)
      return claims
    },

    isExpired: ({ exp }) => exp * 1_000 <= clock.now().getTime(),
  }
}
