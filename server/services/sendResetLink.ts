import type { Db } from '../db/Database.ts'
import { putMail } from '../db/mailOutbox.ts'
import { hasHadItsResets, insertLink } from '../db/passwordLinks.ts'
import { lockUser, type LoginUser } from '../db/users.ts'
import type { Deps } from '../Deps.ts'
import { resetMail } from '../mail/resetMail.ts'
import { hashToken, newToken } from './opaqueToken.ts'

/** Mails the link to another password. False when the account has had its links of this hour (cases AUT-23). */
export async function sendResetLink(deps: Deps, user: Pick<LoginUser, 'id' | 'loginName'>): Promise<boolean> {
  const [token, now] = [newToken(), deps.clock.now()]
  const isOut = await deps.database.db.transaction(async (tx: Db) => {
    await lockUser(tx, user.id)
    if (await hasHadItsResets(tx, user.id, now)) return false
    await insertLink(tx, { userId: user.id, kind: 'reset', tokenHash: hashToken(token) }, now)
    await putMail(tx, resetMail(deps.settings, user.loginName, token, now), now)
    return true
  })
  if (isOut) deps.mailWaiting()
  return isOut
}
