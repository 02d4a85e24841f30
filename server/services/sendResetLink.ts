import { type ActivityActor, noteActivity } from '../db/activity.ts'
import type { Db } from '../db/engine/Database.ts'
import { queueMail } from '../db/mailOutbox.ts'
import { resetLimitReached, insertLink } from '../db/accounts/passwords.ts'
import { lockUser, type LoginUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import { resetMail } from '../mail/resetMail.ts'
import { activityTarget } from './activity/activityTarget.ts'
import { hashToken, newToken } from './opaqueToken.ts'

interface Asking {
  /** Whether the owner asked for it, or somebody else sends it. */
  action: 'password.reset_asked' | 'password.reset_sent'
  doer: ActivityActor
}

/** Mails the link to another password. False when the account has had its links of this hour (cases AUT-23). */
export async function sendResetLink(deps: Deps, user: LoginUser, { action, doer }: Asking): Promise<boolean> {
  const [token, now] = [newToken(), deps.clock.now()]
  const isOut = await deps.database.db.transaction(async (tx: Db) => {
    await lockUser(tx, user.id)
    if (await resetLimitReached(tx, user.id, now)) return false
    await insertLink(tx, { userId: user.id, kind: 'reset', tokenHash: hashToken(token) }, now)
    await queueMail(tx, resetMail(deps.settings, user.loginName, token, now), now)
    await noteActivity(tx, doer, { action, ...activityTarget(user) }, now)
    return true
  })
  if (isOut) deps.mailWaiting()
  return isOut
}
