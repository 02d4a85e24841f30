import type { SignIn } from '../../../../src/contract/accounts/account.ts'
import { findLoginUser, lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { isBlocked } from '../../../db/accounts/sign-in/loginAttempts.ts'
import { insertSignIn, wasBlockedLately } from '../../../db/accounts/sign-in/signIns.ts'
import { noteActivity } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import { blockedUntil, countFailure, THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { accountLockedMail, type Locked } from '../../../mail/securityMails.ts'
import { activityTarget, personOf } from '../../activity/activityTarget.ts'
import type { Caller } from '../sessions/Actor.ts'
import { loginAttemptKey } from './throttledAttempt.ts'

interface Who {
  kind: LoginKind
  loginName: string
}

/**
 * Writes a failed attempt down for the owner, if there is one, and tells them by mail when it has locked `account`, which failures
 * are counted under, or the codes. It happens after the answer, whose time must not tell whether there is one (AUT-02).
 */
export function noteFailedSignIn(
  deps: Deps,
  who: Who,
  outcome: Exclude<SignIn['outcome'], 'signed in'>,
  { device, ipAddress }: Pick<Caller, 'device' | 'ipAddress'>,
  account?: string,
): void {
  const at = deps.clock.now()
  deps.background.run('sign_in_not_noted', async () => {
    const user = await findLoginUser(deps.database.db, who.kind, who.loginName)
    if (!user) return
    const saysNothingNew = async (db: Db) => outcome === 'blocked' && (await wasBlockedLately(db, user.id, at))
    // Before the row is locked: a flood against a blocked account must not keep its owner waiting.
    if (await saysNothingNew(deps.database.db)) return
    const isMailOut = await deps.database.db.transaction(async (tx: Db) => {
      await lockUser(tx, user.id)
      // And behind the lock: several of one flood may have looked before the first was written.
      if (await saysNothingNew(tx)) return false
      await insertSignIn(tx, { userId: user.id, at, outcome, device, ipAddress })
      const locks = await lockedBy(tx, user, account, at)
      await noteRefusal(tx, user, { device, outcome, locks: locks !== undefined }, at)
      return locks !== undefined && mailOfLock(tx, deps, user, locks, at)
    })
    if (isMailOut) deps.mailWaiting()
  })
}

/** The attempt that locks the account is written down as that. Those refused afterwards are one row in a while. */
async function noteRefusal(
  tx: Db,
  user: LoginUser,
  { device, outcome, locks }: { device: string; outcome: string; locks: boolean },
  now: Date,
): Promise<void> {
  const action = locks && outcome !== 'blocked' ? 'account.locked' : 'session.refused'
  const entry = { action, ...activityTarget(user), details: { reason: outcome } } as const
  await noteActivity(tx, personOf(user, { device }), entry, now)
}

/** At most once an hour: whoever locks an account must not be able to flood its owner, too. */
async function mailOfLock(tx: Db, deps: Deps, user: LoginUser, locks: Locked, now: Date): Promise<boolean> {
  if (user.loginKind !== 'merchant') return false
  if (await countFailure(tx, THROTTLES.lockedMail, user.id, now)) return false
  await queueMail(tx, accountLockedMail(deps.settings, user.loginName, locks, now), now)
  return true
}

/** What has to wait now, if anything. */
async function lockedBy(tx: Db, user: LoginUser, account: string | undefined, now: Date): Promise<Locked | undefined> {
  if (await blockedUntil(tx, THROTTLES.mfaCode, user.id, now)) return 'account'
  if (account === undefined || !(await isBlocked(tx, account, now))) return undefined
  return account === loginAttemptKey(user.loginKind, user.loginName) ? 'strange devices' : 'device'
}
