import { randomInt } from 'node:crypto'
import { temporaryPassword } from '../../../src/domain/accounts/temporaryPassword.ts'
import { findPosUser } from '../../db/posUsers.ts'
import type { Deps } from '../../Deps.ts'
import { setPasswordOfOther } from '../accounts/passwords/changePassword.ts'
import { openNewPassword } from '../accounts/passwords/passwordPolicy.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/**
 * Gives a POS user another password, to be replaced at the next sign-in; its session ends. Throws Refusal NOT_FOUND, and the
 * codes of `openNewPassword` and `refuseUnfitPassword`.
 */
export async function changePosPassword(
  deps: Deps,
  actor: Actor,
  id: string,
  { encrypted_new_password: jwe }: { encrypted_new_password: string },
): Promise<void> {
  await refuseUnlessMine(deps, actor, id)
  const path = 'encrypted_new_password'
  const password = await openNewPassword(deps, { path, jwe })
  await setPasswordOfOther(deps, actor, id, { password, path })
}

/** The same with a made-up password, told only in this answer: there is no address to mail a link to. Throws Refusal NOT_FOUND. */
export async function resetPosPassword(deps: Deps, actor: Actor, id: string): Promise<string> {
  await refuseUnlessMine(deps, actor, id)
  const password = temporaryPassword(randomInt)
  await setPasswordOfOther(deps, actor, id, { password, path: 'temporary_password', isMadeUp: true })
  return password
}

async function refuseUnlessMine({ database }: Deps, { scope }: Actor, id: string): Promise<void> {
  if (!(await findPosUser(database.db, scope, id))) throw new Refusal('NOT_FOUND')
}
