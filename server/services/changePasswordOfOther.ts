import { findOwnUser, findUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { checkOwnPassword } from './accounts/passwords/checkOwnPassword.ts'
import { openNewPassword, refuseUnfitPassword } from './accounts/passwords/passwordPolicy.ts'
import { Refusal } from './Refusal.ts'
import { setPassword } from './accounts/passwords/setPassword.ts'

interface OthersPasswordChange {
  user_guid: string
  encrypted_own_password: string
  encrypted_new_password: string
}

/**
 * Sets the password of another user of the main account's organisation (DESIGN §2); all sessions of that user end, and its
 * next sign-in asks for one of its own. Throws
 * Refusal FORBIDDEN for anyone but a main account and for oneself, NOT_FOUND for users of other organisations, and the codes
 * of `checkOwnPassword`, `openNewPassword` and `refuseUnfitPassword`.
 */
export async function changePasswordOfOther(deps: Deps, actor: Actor, asked: OthersPasswordChange): Promise<void> {
  const { db } = deps.database
  // One's own password has a door that keeps the session.
  if (!isMainAccount(actor) || asked.user_guid === actor.userId) throw new Refusal('FORBIDDEN')
  if (!(await findUser(db, actor.scope, asked.user_guid))) throw new Refusal('NOT_FOUND')
  const self = await findOwnUser(db, actor.userId)
  if (!self) throw new Refusal('NOT_FOUND')
  await checkOwnPassword(deps, self, { path: 'encrypted_own_password', jwe: asked.encrypted_own_password })
  const path = 'encrypted_new_password'
  const password = await openNewPassword(deps, { path, jwe: asked.encrypted_new_password })
  // The user may be setting one at this moment: then this one is judged once more, against that one.
  while (!(await setForUser(deps, actor, asked.user_guid, password, path)));
}

const isMainAccount = ({ type }: Actor) => type === 'HRP Merchant' || type === 'ADHOC Merchant'

/** False when the user got another password while this one was judged. */
async function setForUser(deps: Deps, actor: Actor, userId: string, password: string, path: string) {
  const user = await findUser(deps.database.db, actor.scope, userId)
  if (!user) throw new Refusal('NOT_FOUND')
  await refuseUnfitPassword(deps, user, password, path)
  return (await setPassword(deps, user, password, { by: 'main account' }, actor)) !== undefined
}
