import { findOwnUser } from '../../../db/accounts/loginUsers.ts'
import type { Deps } from '../../../Deps.ts'
import type { Actor } from '../sessions/Actor.ts'
import { checkOwnPassword, wrongPassword } from './checkOwnPassword.ts'
import { newPassword } from './passwordPolicy.ts'
import { Refusal } from '../../Refusal.ts'
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
