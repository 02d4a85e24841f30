import { noteActivity } from '../db/activity.ts'
import type { Db } from '../db/engine/Database.ts'
import { queueMail } from '../db/mailOutbox.ts'
import { removeMfa } from '../db/accounts/mfa.ts'
import { dropSetups } from '../db/mfaSetups.ts'
import { dropChallenges } from '../db/accounts/sign-in/signInChallenges.ts'
import { findLoginUser, lockUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import { mfaChangedMail } from '../mail/mfaChangedMail.ts'
import { activityTarget } from './activity/activityTarget.ts'

/**
 * Removes the authenticator app of a merchant account whose owner has lost it and every recovery code; the owner is told, and
 * the next sign-in asks for a new one. False when there was none, or no such account.
 */
export async function resetMfa(
  deps: Pick<Deps, 'database' | 'clock' | 'settings' | 'mailWaiting'>,
  email: string,
): Promise<boolean> {
  const now = deps.clock.now()
  const isDone = await deps.database.db.transaction(async (tx: Db) => {
    const user = await findLoginUser(tx, 'merchant', email)
    if (!user) return false
    await lockUser(tx, user.id)
    if (!(await removeMfa(tx, user.id))) return false
    await dropSetups(tx, user.id)
    await dropChallenges(tx, user.id)
    await queueMail(tx, mfaChangedMail(deps.settings, user.loginName, 'removed', now), now)
    const deed = { action: 'mfa.removed', ...activityTarget(user) } as const
    await noteActivity(tx, { provider: true, via: 'command line' }, deed, now)
    return true
  })
  if (isDone) deps.mailWaiting()
  return isDone
}
