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
 * Changes the actor's own password. This session goes on, and all others end. Throws Refusal with the codes of `checkOwnPassword` and `newPassword`.
 */
export async function changeOwnPassword(deps: Deps, actor: Actor, asked: OwnPasswordChange): Promise<void> {
  const user = await findOwnUser(deps.database.db, actor.userId)
  if (!user) throw new Refusal('NOT_FOUND')
  const current = { path: 'encrypted_current_password', jwe: asked.encrypted_current_password }
  await checkOwnPassword(deps, user, current)
  const password = await newPassword(deps, user, { path: 'encrypted_new_password', jwe: asked.encrypted_new_password })
  const isSet = await setPassword(deps, user, { password, setter: { by: 'self', sessionId: actor.sessionId }, actor })
  // Another call has changed the password meanwhile.
  if (isSet === undefined) throw wrongPassword(current.path)
}

interface OthersPasswordChange {
  user_guid: string
  encrypted_own_password: string
  encrypted_new_password: string
}

/**
 * Sets the password of another user of the main account's organisation (rule 3.8). All sessions of that user end, and the next login asks for a new
 * password. Throws Refusal FORBIDDEN unless the actor is a main account, and for the actor's own account, and the codes of `checkOwnPassword`,
 * `openNewPassword` and `setPasswordOfOther`.
 */
export async function changePasswordOfOther(deps: Deps, actor: Actor, asked: OthersPasswordChange): Promise<void> {
  const { db } = deps.database
  // `changeOwnPassword` is for the actor's own password, and keeps the session.
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
  /** The field that shows what is wrong with the password. */
  path: string
  isGenerated?: true
}

/**
 * Sets the password of another user. Throws Refusal NOT_FOUND for a user outside the actor's scope, INVALID_STATE for a user who was never activated,
 * and the codes of `refuseUnfitPassword`.
 */
export async function setPasswordOfOther(
  deps: Deps,
  actor: Actor,
  userId: string,
  { password, path, isGenerated }: OthersPassword,
): Promise<void> {
  const setter = { by: 'main account', ...(isGenerated && { isGenerated }) } as const
  // If the user changes the password at the same moment, the loop checks the new password against that change.
  for (;;) {
    const user = await findUser(deps.database.db, actor.scope, userId)
    if (!user) throw new Refusal('NOT_FOUND')
    // Setting a password would end the activation link, which is the only way to activate the login.
    if (user.passwordHash === null) throw new Refusal('INVALID_STATE')
    await refuseUnfitPassword(deps, user, password, path)
    if ((await setPassword(deps, user, { password, setter, actor })) !== undefined) return
  }
}
