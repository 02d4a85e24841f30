import type { LoginUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { Refusal } from './Refusal.ts'
import { sendResetLink } from './sendResetLink.ts'
import { signInBlocker } from './accounts/sign-in/signInBlocker.ts'

const AN_HOUR = 3_600

/**
 * Mails somebody else's account a link for a new password; nobody but its owner learns it. Throws Refusal NOT_FOUND,
 * INVALID_STATE for an account that may not sign in, TOO_MANY_ATTEMPTS from the fourth within an hour.
 */
export async function sendResetLinkToOther(deps: Deps, actor: Actor, user: LoginUser | undefined): Promise<void> {
  if (!user) throw new Refusal('NOT_FOUND')
  if (signInBlocker(user)) throw new Refusal('INVALID_STATE')
  const isOut = await sendResetLink(deps, user, { action: 'password.reset_sent', doer: actor })
  if (!isOut) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: AN_HOUR })
}
