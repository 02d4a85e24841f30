import { randomInt } from 'node:crypto'
import { passwordRules } from '../../../src/domain/accounts/passwords.ts'
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
  const password = temporaryPassword()
  await setPasswordOfOther(deps, actor, id, { password, path: 'temporary_password', isMadeUp: true })
  return password
}

async function refuseUnlessMine({ database }: Deps, { scope }: Actor, id: string): Promise<void> {
  if (!(await findPosUser(database.db, scope, id))) throw new Refusal('NOT_FOUND')
}

/** A password that meets every rule, such as `hK7m-Qw2p-xRtb-9dFz`: 92 bits. */
export function temporaryPassword(): string {
  for (;;) {
    const password = Array.from({ length: GROUPS }, group).join('-')
    if (passwordRules(password, '').every(({ met }) => met)) return password
  }
}

/** A password is read aloud and typed at a counter, so there are no look-alikes such as 1 and l. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
const GROUPS = 4
const GROUP = 4

const group = () => Array.from({ length: GROUP }, () => SIGNS[randomInt(SIGNS.length)]).join('')
