import { isBlocked } from '../../../db/accounts/login/loginAttempts.ts'
import { findLoginUser, lockUser, nobody, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { noteActivityForUser } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { commitLater } from '../../../db/engine/durability.ts'
import { queueMailForUser } from '../../../db/mailOutbox.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import { blockedUntil, countFailure, THROTTLES } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { accountLockedMail, type Locked } from '../../../mail/securityMails.ts'
import { activityTarget, personOf } from '../../activity/activity.ts'
import { loginAttemptKey } from './throttledAttempt.ts'

export interface FailedLogin {
  kind: LoginKind
  loginName: string
  outcome: 'wrong password' | 'wrong code' | 'blocked'
  device: string
  /** The key under which wrong passwords are counted. */
  account?: string
}

/**
 * Notes a failed attempt in the account's log, and mails the owner when the attempt has locked the login or the codes. Runs after the answer, and
 * runs the same statements without an account, so that the time does not tell whether the account exists (AUT-02).
 */
export function noteFailedLogin(deps: Deps, { kind, loginName, outcome, device, account }: FailedLogin): void {
  const at = deps.clock.now()
  const attemptKey = loginAttemptKey(kind, loginName)
  deps.background.run('login_not_noted', async () => {
    const { db } = deps.database
    const user = (await findLoginUser(db, kind, loginName)) ?? nobody(kind, loginName)
    const isBlocked = outcome === 'blocked'
    // Further attempts against a blocked account write no rows.
    if (isBlocked && (await blockedUntil(db, THROTTLES.blockedLogin, attemptKey, at))) return
    const isLocked = await db.transaction(async (tx: Db) => {
      await commitLater(tx)
      // Several calls may have passed the check above before the first was counted. Only one of them goes on and locks the owner's row, so the owner
      // waits for one at most.
      if (isBlocked && (await countFailure(tx, THROTTLES.blockedLogin, attemptKey, at))) return false
      await lockUser(tx, user.id)
      const locks = await lockedBy(tx, user, account, at)
      await noteRefusal(tx, user, { device, outcome, locks: locks !== undefined }, at)
      if (locks !== undefined) await mailLock(tx, deps, { user, attemptKey, locks }, at)
      return locks !== undefined
    })
    if (isLocked) deps.wakeMailSender()
  })
}

/** Logs the attempt that locks the account as a lock. Refused attempts after that are logged only once in a while. */
async function noteRefusal(
  tx: Db,
  user: LoginUser,
  { device, outcome, locks }: { device: string; outcome: string; locks: boolean },
  now: Date,
): Promise<void> {
  const action = locks && outcome !== 'blocked' ? 'account.locked' : 'session.refused'
  const entry = { action, userId: user.id, ...activityTarget(user), details: { reason: outcome } } as const
  await noteActivityForUser(tx, personOf(user, { device }), entry, now)
}

/** Mails the owner at most once an hour, because a caller who locks an account must not be able to flood its owner with mail. */
async function mailLock(
  tx: Db,
  { settings }: Deps,
  { user, attemptKey, locks }: { user: LoginUser; attemptKey: string; locks: Locked },
  now: Date,
) {
  if (user.loginKind !== 'merchant') return
  if (await countFailure(tx, THROTTLES.lockedMail, attemptKey, now)) return
  await queueMailForUser(tx, user.id, accountLockedMail(settings, user, locks, now), now)
}

/** Returns which logins are blocked now; `undefined` when none are. */
async function lockedBy(tx: Db, user: LoginUser, account: string | undefined, now: Date): Promise<Locked | undefined> {
  if (await blockedUntil(tx, THROTTLES.mfaCode, user.id, now)) return 'account'
  if (account === undefined || !(await isBlocked(tx, account, now))) return undefined
  return account === loginAttemptKey(user.loginKind, user.loginName) ? 'unknown devices' : 'device'
}
