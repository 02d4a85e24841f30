import type { Db } from '../db/Database.ts'
import { putMail } from '../db/mailOutbox.ts'
import { hasHadItsResets, insertLink } from '../db/passwordLinks.ts'
import { findLoginUser, lockUser } from '../db/users.ts'
import type { Deps } from '../Deps.ts'
import { resetMail } from '../mail/resetMail.ts'
import { hashToken, newToken } from './opaqueToken.ts'
import { whyUnusable } from './whyUnusable.ts'

/**
 * Has a link mailed to the merchant account of this e-mail, if there is one that may sign in and has not had its links of
 * this hour. It happens after the answer: neither what is answered nor how long it takes depends on it (cases AUT-22).
 */
export function forgotPassword(deps: Deps, email: string): void {
  deps.background.run('reset_mail_failed', () => mailLink(deps, email))
}

async function mailLink(deps: Deps, email: string): Promise<void> {
  const { db } = deps.database
  const token = newToken()
  const user = await findLoginUser(db, 'merchant', email)
  if (!user || whyUnusable(user)) return
  const now = deps.clock.now()
  const isOut = await db.transaction(async (tx: Db) => {
    await lockUser(tx, user.id)
    if (await hasHadItsResets(tx, user.id, now)) return false
    await insertLink(tx, { userId: user.id, kind: 'reset', tokenHash: hashToken(token) }, now)
    await putMail(tx, resetMail(deps.settings, user.loginName, token, now), now)
    return true
  })
  if (isOut) deps.mailWaiting()
}
