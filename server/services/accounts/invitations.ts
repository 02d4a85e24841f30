import { noteActivity } from '../../db/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { countFailure, THROTTLES } from '../../db/throttles.ts'
import { findUser, lockUser, type LoginUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from './sessions/Actor.ts'
import { activityTarget } from '../activity/activityTarget.ts'
import { Refusal, secondsUntil } from '../Refusal.ts'
import { sendActivationLink } from '../sendActivation.ts'
import { isInactive } from './sign-in/signInBlocker.ts'

/**
 * Mails the activation link of an account in the actor's scope again; the one before ends. Throws Refusal NOT_FOUND for an
 * account outside the scope and for POS users, ALREADY_ACTIVE, ACCOUNT_INACTIVE, and TOO_MANY_ATTEMPTS from the fourth within
 * an hour (cases AUT-28).
 */
export async function resendInvitation(deps: Deps, actor: Actor, userId: string): Promise<void> {
  const now = deps.clock.now()
  await deps.database.db.transaction(async (tx: Db) => {
    await lockUser(tx, userId)
    const user = refuseUnlessInvited(await findUser(tx, actor.scope, userId))
    // What is refused is not sent, so taking the count back with it is right.
    const until = await countFailure(tx, THROTTLES.invitation, userId, now)
    if (until) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(until, now) })
    await sendActivationLink(tx, deps, userId)
    await noteActivity(tx, actor, { action: 'invitation.resent', ...activityTarget(user) }, now)
  })
  deps.mailWaiting()
}

function refuseUnlessInvited(user: LoginUser | undefined): LoginUser {
  if (!user || user.loginKind === 'pos') throw new Refusal('NOT_FOUND')
  if (isInactive(user)) throw new Refusal('ACCOUNT_INACTIVE')
  if (user.status !== 'Pending' && user.status !== 'Pending Activation') throw new Refusal('ALREADY_ACTIVE')
  return user
}
