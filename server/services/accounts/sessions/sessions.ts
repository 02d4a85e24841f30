import { timingSafeEqual } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { isKnownToAnybody, rememberDevice } from '../../../db/accounts/login/knownDevices.ts'
import { findOwnUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { endSession, endSessions, insertSession, rotateToken, type SessionRow } from '../../../db/accounts/sessions.ts'
import { noteActivity } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import type { Deps } from '../../../Deps.ts'
import { warnOnce } from '../../../log.ts'
import { newLoginMail } from '../../../mail/securityMails.ts'
import { activityTarget, personOf } from '../../activity/activity.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import { Refusal } from '../../Refusal.ts'
import type { AccessTokens, Claims } from './accessTokens.ts'
import type { Actor, Caller } from './Actor.ts'
import { liveSession, readAnyToken, recordSessionUse } from './authenticate.ts'

/** A session ends after this time, however active the user is (rule 4.9). */
const ABSOLUTE_HOURS = 12

export interface LoggedIn {
  accessToken: string
  /** The value of the HttpOnly cookie that a refresh must bring. */
  binding: string
  /** The value of the cookie by which this browser is recognised later. */
  deviceToken: string
}

/** One login of one user in one browser. */
interface Login {
  user: LoginUser
  caller: Caller
}

/**
 * Completes a login: ends the account's earlier session, begins this one, and mails the owner about a browser not seen before. The caller must have
 * locked the user row and made sure that every challenge is met.
 */
export async function startSession(
  tx: Db,
  deps: Deps,
  tokens: AccessTokens,
  { user, caller }: Login,
): Promise<LoggedIn> {
  const now = deps.clock.now()
  const binding = newToken()
  const ids = { userId: user.id, sessionId: uuidv7(), jti: uuidv7() }
  const actor = personOf(user, caller)
  if (await endSessions(tx, { userId: user.id }, 'superseded', now)) {
    await noteActivity(tx, actor, { action: 'session.superseded', ...activityTarget(user) }, now)
  }
  await insertSession(tx, {
    id: ids.sessionId,
    userId: ids.userId,
    jti: ids.jti,
    bindingHash: hashToken(binding),
    idleSeconds: idleMinutes(deps, user) * 60,
    createdAt: now,
    lastActiveAt: now,
    endsAt: new Date(now.getTime() + ABSOLUTE_HOURS * 3_600_000),
  })
  await noteActivity(tx, actor, { action: 'session.logged_in', ...activityTarget(user) }, now)
  const deviceToken = await recogniseDevice(tx, deps, user, caller)
  return { accessToken: await tokens.issue(ids), binding, deviceToken }
}

const idleMinutes = ({ settings }: Deps, { type }: LoginUser) =>
  type === 'POS User' ? settings.posIdleMinutes : settings.sessionIdleMinutes

async function recogniseDevice(tx: Db, deps: Deps, user: LoginUser, caller: Caller): Promise<string> {
  const at = deps.clock.now()
  const deviceToken = (await issuedTokenOf(tx, caller)) ?? newToken()
  const acquaintance = await rememberDevice(tx, user.id, hashToken(deviceToken), at)
  // POS users have no address.
  if (acquaintance === 'new' && user.loginKind === 'merchant') {
    await queueMail(tx, newLoginMail(deps.settings, user, caller, at), at)
  }
  return deviceToken
}

/** Returns the caller's device token if this server issued it. A token that a caller invents could later pass for the owner's browser. */
const issuedTokenOf = async (tx: Db, { deviceToken }: Caller) =>
  deviceToken !== undefined && (await isKnownToAnybody(tx, hashToken(deviceToken))) ? deviceToken : undefined

/** For this long after its successor was first used, a token stays good, because requests may be under way (rule 4.4). */
const GRACE_MS = 10_000

interface RefreshRequest {
  token: string | undefined
  /** The cookie set at login. */
  binding: string | undefined
  idleSeconds: number | undefined
}

/**
 * Returns a new token for the current token, even an expired one. Until a request uses the new token, the previous token gets the same new token
 * again, so a lost answer does no harm. Any other old token counts as reuse and ends the session. Throws Refusal with the codes of `readAnyToken` and
 * `liveSession`, BINDING_MISMATCH, TOKEN_REUSED.
 */
export async function refreshToken(deps: Deps, tokens: AccessTokens, request: RefreshRequest): Promise<string> {
  const claims = await readAnyToken(tokens, request.token)
  const session = await liveSession(deps, claims)
  // The cookie is checked first, because a caller without it must not be able to end the session.
  if (!hasBinding(session, request.binding)) {
    deps.log.warn('binding_mismatch', { user: claims.sub, session: claims.sid })
    // The login set this cookie. If all calls lack it, a proxy removes cookies.
    if (request.binding === undefined) warnOnce(deps.log, 'cookie_not_returned')
    throw new Refusal('BINDING_MISMATCH')
  }
  const jti = await successorOf(deps, claims, session)
  await recordSessionUse(deps, claims, { ...session, previous_jti: null }, request.idleSeconds)
  return tokens.issue({ userId: claims.sub, sessionId: claims.sid, jti })
}

function hasBinding(session: SessionRow, binding: string | undefined): boolean {
  if (binding === undefined) return false
  return timingSafeEqual(Buffer.from(hashToken(binding)), Buffer.from(session.binding_hash))
}

async function successorOf(deps: Deps, claims: Claims, session: SessionRow): Promise<string> {
  const { db } = deps.database
  const now = deps.clock.now()
  if (claims.jti === session.jti) {
    const successor = uuidv7()
    if (await rotateToken(db, claims.sid, { from: claims.jti, to: successor }, now)) return successor
    // Another tab refreshed first, so this token is now the previous one.
    return successorOf(deps, claims, await liveSession(deps, claims))
  }
  if (claims.jti === session.previous_jti && isWithinGrace(session, now)) return session.jti
  await endSession(db, claims.sid, 'reused', now)
  deps.log.warn('token_reused', { user: claims.sub, session: claims.sid })
  throw new Refusal('TOKEN_REUSED')
}

const isWithinGrace = ({ confirmed_at }: SessionRow, now: Date) =>
  confirmed_at === null || now.getTime() <= confirmed_at.getTime() + GRACE_MS

/** Ends the actor's session, and logs it. */
export const logOut = ({ database, clock }: Deps, actor: Actor): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await endSession(tx, actor.sessionId, 'logout', now)
    const user = await findOwnUser(tx, actor.userId)
    if (user) await noteActivity(tx, actor, { action: 'session.logged_out', ...activityTarget(user) }, now)
  })
