import { isMainAccount } from '../../../../src/domain/accounts/permissions.ts'
import { findOwnUser, findUser } from '../../../db/accounts/loginUsers.ts'
import type { Deps } from '../../../Deps.ts'
import { Refusal } from '../../Refusal.ts'
import type { Actor } from '../sessions/Actor.ts'
import { checkOwnPassword, wrongPassword } from './checkOwnPassword.ts'
import { newPassword, openNewPassword, refuseUnfitPassword } from './passwordPolicy.ts'
import { setPassword } from './setPassword.ts'

interface OwnPasswordChange {
  encrypted_current_password: string
  encrypted_new_password: string
}

/**
 * Changes the actor's own password; this session goes on, any other ends. Throws Refusal with the codes of
 * `checkOwnPassword` and `newPassword`.
 */
export async function changeOwnPassword(deps: Deps, actor: Actor, asked: OwnPasswordChange): Promise<void> {
  const user = await findOwnUser(deps.database.db, actor.userId)
  if (!user) throw new Refusal('NOT_FOUND')
  const current = { path: 'encrypted_current_password', jwe: asked.encrypted_current_password }
  await checkOwnPassword(deps, user, current)
  const password = await newPassword(deps, user, { path: 'encrypted_new_password', jwe: asked.encrypted_new_password })
  const isSet = await setPassword(deps, user, password, { by: 'self', sessionId: actor.sessionId }, actor)
  // Somebody else was quicker: what was the current password is not any more.
  if (isSet === undefined) throw wrongPassword(current.path)
}

interface OthersPasswordChange {
  user_guid: string
  encrypted_own_password: string
  encrypted_new_password: string
}

/**
 * Sets the password of another user of the main account's organisation (rule 3.8); all sessions of that user end, and its
 * next login asks for one of its own. Throws Refusal FORBIDDEN for anyone but a main account and for oneself, and the codes of
 * `checkOwnPassword`, `openNewPassword` and `setPasswordOfOther`.
 */
export async function changePasswordOfOther(deps: Deps, actor: Actor, asked: OthersPasswordChange): Promise<void> {
  const { db } = deps.database
  // Changing one's own password is `changeOwnPassword`, which keeps the session.
  if (!isMainAccount(actor.type) || asked.user_guid === actor.userId) throw new Refusal('FORBIDDEN')
  if (!(await findUser(db, actor.scope, asked.user_guid))) throw new Refusal('NOT_FOUND')
  const self = await findOwnUser(db, actor.userId)
  if (!self) throw new Refusal('NOT_FOUND')
  await checkOwnPassword(deps, self, { path: 'encrypted_own_password', jwe: asked.encrypted_own_password })
  const path = 'encrypted_new_password'
  const password = await openNewPassword(deps, { path, jwe: asked.encrypted_new_password })
  await setPasswordOfOther(deps, actor, asked.user_guid, { password, path })
}

interface OthersPassword {
  password: string
  /** The field that is told what is wrong with it. */
  path: string
  isMadeUp?: true
}

/**
 * Throws Refusal NOT_FOUND for a user who is not in the actor's scope, INVALID_STATE for one who was never activated, and the
 * codes of `refuseUnfitPassword`.
 */
export async function setPasswordOfOther(
  deps: Deps,
  actor: Actor,
  userId: string,
  { password, path, isMadeUp }: OthersPassword,
): Promise<void> {
  const setter = { by: 'main account', ...(isMadeUp && { isMadeUp }) } as const
  // The user may be setting one at this moment: then this one is judged once more, against that one.
  for (;;) {
    const user = await findUser(deps.database.db, actor.scope, userId)
    if (!user) throw new Refusal('NOT_FOUND')
    // It would end the activation link, the only way in of a login that is not activated yet.
    if (user.passwordHash === null) throw new Refusal('INVALID_STATE')
    await refuseUnfitPassword(deps, user, password, path)
    if ((await setPassword(deps, user, password, setter, actor)) !== undefined) return
  }
}
