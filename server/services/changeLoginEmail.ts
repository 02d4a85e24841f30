import { updateAccount } from '../db/accounts/accounts.ts'
import type { Db } from '../db/engine/Database.ts'
import { countFailure, THROTTLES } from '../db/throttles.ts'
import type { Deps } from '../Deps.ts'
import { Refusal, secondsUntil } from './Refusal.ts'
import { sendActivationLink } from './sendActivation.ts'

/** An account as far as its address goes. */
interface Addressed {
  id: string
  email: string
  passwordHash: string | null
}

/**
 * Gives an account that was never activated another e-mail, and invites that one; the link mailed before ends. Throws Refusal
 * VALIDATION_FAILED for an account in use, whose e-mail is its owner's way back in, and TOO_MANY_ATTEMPTS from the fourth
 * invitation within an hour.
 */
export async function changeLoginEmail(tx: Db, deps: Deps, account: Addressed, email: string): Promise<void> {
  if (account.email === email) return
  if (account.passwordHash !== null) {
    const message = 'cannot be changed once the account is active'
    throw new Refusal('VALIDATION_FAILED', { fields: [{ path: 'email', rule: 'fixed', message }] })
  }
  const now = deps.clock.now()
  const until = await countFailure(tx, THROTTLES.invitation, account.id, now)
  if (until) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(until, now) })
  await updateAccount(tx, account.id, { loginName: email })
  await sendActivationLink(tx, deps, account.id)
}
