import { noteActivity } from '../db/activity.ts'
import type { Db } from '../db/engine/Database.ts'
import { findMfa } from '../db/accounts/mfa.ts'
import { replaceRecoveryCodes } from '../db/recoveryCodes.ts'
import { findOwnUser, lockUser } from '../db/accounts/loginUsers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './accounts/sessions/Actor.ts'
import { checkOwnPassword, wrongPassword } from './accounts/passwords/checkOwnPassword.ts'
import { activityTarget } from './activity/activityTarget.ts'
import { judgeCode, codeRefusal } from './accounts/mfa/mfaCodes.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recoveryCode.ts'
import { Refusal } from './Refusal.ts'

interface Asked {
  encrypted_current_password: string
  code: string
}

/**
 * New recovery codes; the ones before stop working. Throws Refusal FORBIDDEN where no authenticator app is in force,
 * MFA_CODE_WRONG, TOO_MANY_ATTEMPTS, and the codes of `checkOwnPassword`.
 */
export async function renewRecoveryCodes(deps: Deps, actor: Actor, asked: Asked): Promise<string[]> {
  const { db } = deps.database
  const user = await findOwnUser(db, actor.userId)
  if (!user || !(await findMfa(db, user.id))) throw new Refusal('FORBIDDEN')
  const path = 'encrypted_current_password'
  await checkOwnPassword(deps, user, { path, jwe: asked.encrypted_current_password })
  const outcome = await db.transaction(async (tx: Db) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return wrongPassword(path)
    const verdict = await judgeCode(tx, deps, user.id, asked.code)
    // Given back, not thrown: a wrong code has to be counted.
    if (verdict.result !== 'right') return codeRefusal(verdict, deps.clock.now())
    const codes = newRecoveryCodes()
    await replaceRecoveryCodes(tx, user.id, codes.map(hashRecoveryCode))
    const deed = { action: 'recovery_codes.renewed', ...activityTarget(user) } as const
    await noteActivity(tx, actor, deed, deps.clock.now())
    return codes
  })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}
