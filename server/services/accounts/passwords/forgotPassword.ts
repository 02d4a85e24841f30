import { findLoginUser } from '../../../db/accounts/loginUsers.ts'
import type { Deps } from '../../../Deps.ts'
import type { Caller } from '../../Caller.ts'
import { personOf } from '../../activity/activityTarget.ts'
import { sendResetLink } from '../../sendResetLink.ts'
import { signInBlocker } from '../sign-in/signInBlocker.ts'

/**
 * Has a link mailed to the merchant account of this e-mail, if there is one that may sign in and has not had its links of
 * this hour. It happens after the answer: neither what is answered nor how long it takes depends on it (cases AUT-22).
 */
export function forgotPassword(deps: Deps, email: string, { device }: Caller): void {
  deps.background.run('reset_mail_failed', () => sendOwnResetLink(deps, email, device))
}

async function sendOwnResetLink(deps: Deps, email: string, device: string): Promise<void> {
  const user = await findLoginUser(deps.database.db, 'merchant', email)
  if (!user || signInBlocker(user)) return
  await sendResetLink(deps, user, { action: 'password.reset_asked', doer: personOf(user, { device }) })
}
