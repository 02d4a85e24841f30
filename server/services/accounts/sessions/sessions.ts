import { v7 as uuidv7 } from 'uuid'
import { findOwnUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { endSession, endSessions, insertSession } from '../../../db/accounts/sessions.ts'
import { insertSignIn, isKnownToAnybody, rememberDevice } from '../../../db/accounts/sign-in/signIns.ts'
import { noteActivity } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import type { Deps } from '../../../Deps.ts'
import { newSignInMail } from '../../../mail/securityMails.ts'
import { activityTarget, personOf } from '../../activity/activityTarget.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import type { AccessTokens } from './accessTokens.ts'
import type { Actor, Caller } from './Actor.ts'

/** A session ends after this, however active the person is (rule 4.9). */
const ABSOLUTE_HOURS = 12

export interface SignedIn {
  accessToken: string
  /** For the HttpOnly cookie that the refresh is bound to. */
  binding: string
  /** For the cookie that this browser is known by. */
  deviceToken: string
}

/**
 * Completes a sign-in: the account's earlier session ends, this one begins, and its owner hears of a browser not seen before.
 * The caller holds the user row and has made sure that every challenge is met.
 */
export async function startSession(
  tx: Db,
  deps: Deps,
  tokens: AccessTokens,
  user: LoginUser,
  caller: Caller,
): Promise<SignedIn> {
  const now = deps.clock.now()
  const binding = newToken()
  const ids = { userId: user.id, sessionId: uuidv7(), jti: uuidv7() }
  const actor = personOf(user, caller)
  if (await endSessions(tx, user.id, 'superseded', now)) {
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
  await noteActivity(tx, actor, { action: 'session.signed_in', ...activityTarget(user) }, now)
  const deviceToken = await noteSignIn(tx, deps, user, caller, ids.sessionId)
  return { accessToken: await tokens.issue(ids), binding, deviceToken }
}

const idleMinutes = ({ settings }: Deps, { type }: LoginUser) =>
  type === 'POS User' ? settings.posIdleMinutes : settings.sessionIdleMinutes

async function noteSignIn(tx: Db, deps: Deps, user: LoginUser, caller: Caller, sessionId: string): Promise<string> {
  const at = deps.clock.now()
  const { device, ipAddress } = caller
  await insertSignIn(tx, { userId: user.id, at, outcome: 'signed in', device, ipAddress, sessionId })
  const deviceToken = (await ownTokenOf(tx, caller)) ?? newToken()
  const acquaintance = await rememberDevice(tx, user.id, hashToken(deviceToken), at)
  // A POS user has no address.
  if (acquaintance === 'new' && user.loginKind === 'merchant') {
    await queueMail(tx, newSignInMail(deps.settings, user.loginName, caller, at), at)
  }
  return deviceToken
}

/** Nobody chooses by what a browser is known: who did could be known as its owner later. */
const ownTokenOf = async (tx: Db, { deviceToken }: Caller) =>
  deviceToken !== undefined && (await isKnownToAnybody(tx, hashToken(deviceToken))) ? deviceToken : undefined

/** Ends the actor's session. */
export const signOut = ({ database, clock }: Deps, actor: Actor): Promise<void> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await endSession(tx, actor.sessionId, 'logout', now)
    const user = await findOwnUser(tx, actor.userId)
    if (user) await noteActivity(tx, actor, { action: 'session.signed_out', ...activityTarget(user) }, now)
  })
