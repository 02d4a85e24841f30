import type { Db } from '../db/engine/Database.ts'
import { queueMail } from '../db/mailOutbox.ts'
import { insertLink } from '../db/accounts/passwords.ts'
import { findOwnUser, lockUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import { activationMail } from '../mail/passwordLinkMails.ts'
import { hashToken, newToken } from './opaqueToken.ts'
import { Refusal } from './Refusal.ts'

/**
 * Mails an account that was never activated the link to its first password, good for seven days; one mailed before ends. A
 * main account hears about its own application, everybody else about the merchant's invitation. In the transaction that made
 * the account; say `deps.mailWaiting()` after it. Throws Refusal NOT_FOUND for a POS user, who has no address.
 */
export async function sendActivationLink(
  tx: Db,
  deps: Pick<Deps, 'clock' | 'settings'>,
  userId: string,
): Promise<void> {
  await lockUser(tx, userId)
  const user = await findOwnUser(tx, userId)
  if (!user || user.loginKind === 'pos') throw new Refusal('NOT_FOUND')
  const [token, now] = [newToken(), deps.clock.now()]
  const isMain = user.type === 'HRP Merchant' || user.type === 'ADHOC Merchant'
  await insertLink(tx, { userId, kind: 'activation', tokenHash: hashToken(token) }, now)
  await queueMail(tx, activationMail(deps.settings, isMain ? 'activation' : 'invitation', user, token, now), now)
}
