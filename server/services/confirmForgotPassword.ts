import { findLink } from '../db/accounts/passwords.ts'
import { findOwnUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import type { Caller } from './Caller.ts'
import { personOf } from './activity/activityTarget.ts'
import { hashToken } from './opaqueToken.ts'
import { newPassword } from './accounts/passwords/passwordPolicy.ts'
import { Refusal } from './Refusal.ts'
import { setPassword } from './accounts/passwords/setPassword.ts'
import { signInBlocker } from './accounts/sign-in/signInBlocker.ts'

interface Confirmation {
  token: string
  encrypted_password: string
}

/**
 * Sets a new password with a mailed link, ends all sessions and signs nobody in. A password that is refused leaves the link
 * good. Throws Refusal LINK_INVALID for a link that is used, expired, replaced or not ours, and the codes of `newPassword`.
 */
export async function confirmForgotPassword(deps: Deps, asked: Confirmation, caller: Caller): Promise<void> {
  const { db } = deps.database
  const tokenHash = hashToken(asked.token)
  const userId = await findLink(db, 'reset', tokenHash, deps.clock.now())
  const user = userId === undefined ? undefined : await findOwnUser(db, userId)
  if (!user || signInBlocker(user)) throw new Refusal('LINK_INVALID')
  const password = await newPassword(deps, user, { path: 'encrypted_password', jwe: asked.encrypted_password })
  const isSet = await setPassword(deps, user, password, { by: 'link', tokenHash }, personOf(user, caller))
  if (isSet === undefined) throw new Refusal('LINK_INVALID')
}
