import { timingSafeEqual } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { endSession, rotateToken, type SessionRow } from '../../../db/accounts/sessions.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import type { AccessTokens, Claims } from './accessTokens.ts'
import type { Caller } from './Actor.ts'
import { liveSession, readAnyToken, recordSessionUse } from './authenticate.ts'

/** After its successor was seen in use, a token is still good for this long: requests may be under way (rule 4.4). */
const GRACE_MS = 10_000

interface Presented {
  token: string | undefined
  /** The cookie set at sign-in. */
  binding: string | undefined
  idleSeconds: number | undefined
  caller: Pick<Caller, 'proof'>
}

/**
 * A fresh token for the current one, even expired. Rotation is confirmed by use: until a request bearing the successor was
 * seen, the previous token yields the same successor again, so a lost answer costs nothing. Any other old token is reuse,
 * and ends the session. Throws Refusal with the codes of `readAnyToken` and `liveSession`, BINDING_MISMATCH, TOKEN_REUSED.
 */
export async function refreshToken(deps: Deps, tokens: AccessTokens, presented: Presented): Promise<string> {
  const claims = await readAnyToken(tokens, presented.token)
  const session = await liveSession(deps, claims, presented.caller)
  // Before anything else: who does not hold the cookie must not be able to end the session either.
  if (!isBound(session, presented.binding)) {
    deps.log.warn('binding_mismatch', { user: claims.sub, session: claims.sid })
    throw new Refusal('BINDING_MISMATCH')
  }
  const jti = await successorOf(deps, claims, session, presented)
  await recordSessionUse(deps, claims, { ...session, previous_jti: null }, presented.idleSeconds)
  return tokens.issue({ userId: claims.sub, sessionId: claims.sid, jti })
}

function isBound(session: SessionRow, binding: string | undefined): boolean {
  if (binding === undefined) return false
  return timingSafeEqual(Buffer.from(hashToken(binding)), Buffer.from(session.binding_hash))
}

async function successorOf(deps: Deps, claims: Claims, session: SessionRow, presented: Presented): Promise<string> {
  const { db } = deps.database
  const now = deps.clock.now()
  if (claims.jti === session.jti) {
    const successor = uuidv7()
    if (await rotateToken(db, claims.sid, claims.jti, successor, now)) return successor
    // Another tab's refresh came first: ours is the previous token now.
    return successorOf(deps, claims, await liveSession(deps, claims, presented.caller), presented)
  }
  if (claims.jti === session.previous_jti && isWithinGrace(session, now)) return session.jti
  await endSession(db, claims.sid, 'reused', now)
  deps.log.warn('token_reused', { user: claims.sub, session: claims.sid })
  throw new Refusal('TOKEN_REUSED')
}

const isWithinGrace = ({ confirmed_at }: SessionRow, now: Date) =>
  confirmed_at === null || now.getTime() <= confirmed_at.getTime() + GRACE_MS
