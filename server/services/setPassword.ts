import { forgetAttempts } from '../db/loginAttempts.ts'
import type { Db } from '../db/Database.ts'
import { putMail } from '../db/mailOutbox.ts'
import { replacePassword } from '../db/passwordHistory.ts'
import { supersedeLinks, useLink } from '../db/passwordLinks.ts'
import { endSessions } from '../db/sessions.ts'
import { lockUser, type LoginUser } from '../db/users.ts'
import type { Deps } from '../Deps.ts'
import { passwordChangedMail } from '../mail/passwordChangedMail.ts'
import { ownPasswordAccount } from './checkOwnPassword.ts'
import { hashPassword } from './passwordHash.ts'
import { loginAccount } from './signIn.ts'

/** Through which door: by the person, whose session goes on; by a mailed link, which is used up; by the main account. */
export type Door = { by: 'self'; sessionId: string } | { by: 'link'; tokenHash: string } | { by: 'main account' }

/**
 * Makes `password`, which is fit, the password of `user`: history, sessions, links, throttle and the mail about it, all or
 * nothing. False when it was not done, because `user` has another password or the link is used by now.
 */
export async function setPassword(deps: Deps, user: LoginUser, password: string, door: Door): Promise<boolean> {
  const passwordHash = await hashPassword(password)
  const now = deps.clock.now()
  const isSet = await deps.database.db.transaction(async (tx: Db) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return false
    if (door.by === 'link' && !(await useLink(tx, door.tokenHash, now))) return false
    await replacePassword(tx, user, passwordHash, now)
    await endSessions(tx, user.id, 'password_changed', now, door.by === 'self' ? door.sessionId : undefined)
    await supersedeLinks(tx, user.id)
    await forgetAttempts(tx, [loginAccount(user.loginKind, user.loginName), ownPasswordAccount(user.id)])
    // A POS user has no address.
    if (user.loginKind === 'merchant') await putMail(tx, passwordChangedMail(deps.settings, user, door.by, now), now)
    return true
  })
  if (isSet) deps.mailWaiting()
  return isSet
}
