import {
  findLoginUser,
  findOwnUser,
  lockUser,
  NOBODY,
  nobody,
  type LoginUser,
} from '../../../db/accounts/loginUsers.ts'
import { findLink, insertLink, hasReachedResetLimit } from '../../../db/accounts/passwords.ts'
import { noteActivityForUser, type ActivityActor } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { commitLater } from '../../../db/engine/durability.ts'
import { queueMailForUser } from '../../../db/mailOutbox.ts'
import { THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { resetMail } from '../../../mail/passwordLinkMails.ts'
import { activityTarget, personOf } from '../../activity/activity.ts'
import { hashToken, newToken } from '../../opaqueToken.ts'
import { Refusal, SERVER_BUSY } from '../../Refusal.ts'
import { networkOf, refuseBeyond } from '../../throttles.ts'
import { loginBlocker } from '../login/nextLoginStep.ts'
import { attemptOf } from '../login/throttledAttempt.ts'
import { NO_ADDRESS, type Actor, type Caller } from '../sessions/Actor.ts'
import { newPassword } from './passwordPolicy.ts'
import { setPassword } from './setPassword.ts'

/**
 * Mails a link to the merchant account of this email, if it exists, may log in and has not used up its links of this hour. This happens after the
 * answer: neither the answer nor its time depends on the account, and without one it takes the same statements (AUT-22). Throws Refusal
 * TOO_MANY_ATTEMPTS for a network that asks for too many, and SERVER_BUSY.
 */
export async function forgotPassword(deps: Deps, { email }: { email: string }, caller: Caller): Promise<void> {
  await refuseFlood(deps, email, caller)
  const isQueued = deps.background.run('reset_mail_failed', () => sendOwnResetLink(deps, email, caller.device))
  if (!isQueued) throw SERVER_BUSY
}

/** Counts every email, because the limit must not tell which emails have an account. */
async function refuseFlood(deps: Deps, email: string, caller: Caller): Promise<void> {
  if (caller.ipAddress === NO_ADDRESS) return
  const { isKnown, account } = await attemptOf(deps, { kind: 'merchant', loginName: email }, caller)
  // A device that has logged in with this email has its own count, so other callers in its network do not hold it back.
  const who = isKnown ? account : networkOf(caller.ipAddress)
  await refuseBeyond(deps.database.db, THROTTLES.resetAsked, who, deps.clock.now())
}

async function sendOwnResetLink(deps: Deps, email: string, device: string): Promise<void> {
  const { db } = deps.database
  const found = await findLoginUser(db, 'merchant', email)
  const user = found && !loginBlocker(found) ? found : nobody('merchant', email)
  await db.transaction(async (tx: Db) => {
    await commitLater(tx)
    await putResetLink(tx, deps, user, { action: 'password.reset_requested', actor: personOf(user, { device }) })
  })
  deps.wakeMailSender()
}

interface ResetConfirmation {
  token: string
  encrypted_password: string
}

/**
 * Sets a new password with a mailed link, and ends all sessions. When the password is refused, the link stays good. Throws Refusal LINK_INVALID for a
 * link that is used, expired, replaced or not ours, and the codes of `newPassword`.
 */
export async function confirmForgotPassword(deps: Deps, asked: ResetConfirmation, caller: Caller): Promise<void> {
  const { db } = deps.database
  const tokenHash = hashToken(asked.token)
  const userId = await findLink(db, 'reset', tokenHash, deps.clock.now())
  const user = userId === undefined ? undefined : await findOwnUser(db, userId)
  if (!user || loginBlocker(user)) throw new Refusal('LINK_INVALID')
  const password = await newPassword(deps, user, { path: 'encrypted_password', jwe: asked.encrypted_password })
  const isSet = await setPassword(deps, user, {
    password,
    setter: { by: 'link', tokenHash },
    actor: personOf(user, caller),
  })
  if (isSet === undefined) throw new Refusal('LINK_INVALID')
}

const HOUR_SECONDS = 3_600

/**
 * Mails a link for a new password to another user's account; only its owner sees the link. Throws Refusal NOT_FOUND, INVALID_STATE for an account
 * that may not log in, TOO_MANY_ATTEMPTS from the fourth link within an hour.
 */
export async function sendResetLinkToOther(deps: Deps, actor: Actor, user: LoginUser | undefined): Promise<void> {
  if (!user) throw new Refusal('NOT_FOUND')
  if (loginBlocker(user)) throw new Refusal('INVALID_STATE')
  const asking = { action: 'password.reset_sent', actor } as const
  const isSent = await deps.database.db.transaction((tx: Db) => putResetLink(tx, deps, user, asking))
  if (!isSent) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: HOUR_SECONDS })
  deps.wakeMailSender()
}

interface ResetReason {
  /** The owner has asked for the link, or another user has sent it. */
  action: 'password.reset_requested' | 'password.reset_sent'
  actor: ActivityActor
}

/**
 * Mails the link. Returns false when the account has had its links of this hour (AUT-23); the same statements then run for nobody, so that the time
 * does not tell.
 */
async function putResetLink(tx: Db, deps: Deps, user: LoginUser, { action, actor }: ResetReason): Promise<boolean> {
  const [token, now] = [newToken(), deps.clock.now()]
  await lockUser(tx, user.id)
  const isSent = !(await hasReachedResetLimit(tx, user.id, now))
  const id = isSent ? user.id : NOBODY
  await insertLink(tx, { userId: id, kind: 'reset', tokenHash: hashToken(token) }, now)
  await queueMailForUser(tx, id, resetMail(deps.settings, user, token, now), now)
  await noteActivityForUser(tx, actor, { action, userId: id, ...activityTarget(user) }, now)
  return isSent
}
