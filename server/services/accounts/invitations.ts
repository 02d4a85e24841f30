import { updateAccount } from '../../db/accounts/accounts.ts'
import { findOwnUser, findUser, lockUser, type LoginUser } from '../../db/accounts/loginUsers.ts'
import { insertLink } from '../../db/accounts/passwords.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMail } from '../../db/mailOutbox.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { activationMail } from '../../mail/passwordLinkMails.ts'
import { activityTarget } from '../activity/activity.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'
import { refuseBeyond } from '../throttles.ts'
import { isInactive } from './login/nextLoginStep.ts'
import type { Actor } from './sessions/Actor.ts'

/**
 * Mails a new activation link to an account in the actor's scope, and ends the earlier link. Throws Refusal NOT_FOUND for an account outside the
 * scope and for POS users, ALREADY_ACTIVE, ACCOUNT_INACTIVE, and TOO_MANY_ATTEMPTS from the fourth within an hour (AUT-28).
 */
export async function resendInvitation(deps: Deps, actor: Actor, userId: string): Promise<void> {
  const now = deps.clock.now()
  await deps.database.db.transaction(async (tx: Db) => {
    await lockUser(tx, userId)
    const user = refuseUnlessInvited(await findUser(tx, actor.scope, userId))
    await refuseBeyond(tx, THROTTLES.invitation, userId, now)
    await sendActivationLink(tx, deps, userId)
    await noteActivity(tx, actor, { action: 'invitation.resent', ...activityTarget(user) }, now)
  })
  deps.wakeMailSender()
}

function refuseUnlessInvited(user: LoginUser | undefined): LoginUser {
  if (!user || user.loginKind === 'pos') throw new Refusal('NOT_FOUND')
  if (isInactive(user)) throw new Refusal('ACCOUNT_INACTIVE')
  if (user.status !== 'Pending' && user.status !== 'Pending Activation') throw new Refusal('ALREADY_ACTIVE')
  return user
}

/** The facts about an account that `changeLoginEmail` needs. */
interface InvitedAccount {
  id: string
  email: string
  passwordHash: string | null
}

/**
 * Gives an account that was never activated another email, sends the invitation there, and ends the earlier link. Throws Refusal VALIDATION_FAILED
 * for an account in use, whose owner needs the email to recover it, and TOO_MANY_ATTEMPTS from the fourth invitation within an hour.
 */
export async function changeLoginEmail(tx: Db, deps: Deps, account: InvitedAccount, email: string): Promise<void> {
  if (account.email === email) return
  if (account.passwordHash !== null) {
    const message = 'is the login of an active account: use "Change login email" in its menu'
    throw new Refusal('VALIDATION_FAILED', { fields: [{ path: 'email', rule: 'fixed', message }] })
  }
  await refuseBeyond(tx, THROTTLES.invitation, account.id, deps.clock.now())
  await updateAccount(tx, account.id, { loginName: email })
  await sendActivationLink(tx, deps, account.id)
}

/**
 * Mails an account that was never activated a link to set its first password. The link is good for seven days; an earlier link ends. A main account
 * gets the mail about its application, all others get the merchant's invitation. Call it in the transaction that creates the account, and call
 * `deps.wakeMailSender()` afterwards. Throws Refusal NOT_FOUND for a POS user, who has no address.
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
  await insertLink(tx, { userId, kind: 'activation', tokenHash: hashToken(token) }, now)
  await queueMail(tx, activationMail(deps.settings, user, token, now), now)
}
