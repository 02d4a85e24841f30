import { hash } from 'node:crypto'
import { findKnownDevice } from '../../../db/accounts/login/knownDevices.ts'
import {
  attemptCancelled,
  attemptFailed,
  attemptSucceeded,
  reserveAttempt,
} from '../../../db/accounts/login/loginAttempts.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken } from '../../opaqueToken.ts'
import { AGAIN_SOON, tooManyAttempts } from '../../Refusal.ts'
import type { Caller } from '../sessions/Actor.ts'

/**
 * Runs one password check. The result `undefined` counts as a failure of `account`. After too many failures, throws Refusal TOO_MANY_ATTEMPTS without
 * a check. An error thrown by `check` is passed on and not counted.
 */
export const throttledAttempt = <T>(
  deps: Deps,
  account: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> => deps.queues.attempts.run(() => runCountedCheck(deps, account, check), { key: account })

async function runCountedCheck<T>(
  deps: Deps,
  account: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { db } = deps.database
  const reservation = await reserveAttempt(db, account, deps.clock.now())
  if (reservation.result === 'blocked') throw tooManyAttempts(reservation.until, deps.clock.now())
  // Other servers are checking this account.
  if (reservation.result === 'busy') throw AGAIN_SOON
  const found = await check().catch(async (error: unknown) => {
    // An error, such as a replaced key or an unreachable database, says nothing about the password.
    await attemptCancelled(db, account)
    throw error
  })
  if (found === undefined) await attemptFailed(db, account, deps.clock.now())
  else await attemptSucceeded(db, account)
  return found
}

/**
 * Returns the key that counts failed logins of a name on all unknown devices together. The hash keeps it short, because callers can invent long
 * names.
 */
export const loginAttemptKey = (kind: LoginKind, loginName: string): string =>
  `${kind}:${hash('sha256', loginName, 'base64url').slice(0, 22)}`

/** Returns the key that counts failures on a device with which the user has logged in before. Strangers cannot lock that device out. */
export const deviceAttemptKey = (userId: string, tokenHash: string): string => `device:${userId}:${tokenHash}`

/** Returns the key for this caller's failures. `isKnown` is true when the name has logged in on the caller's device before. */
export async function attemptOf(
  { database }: Deps,
  { kind, loginName }: { kind: LoginKind; loginName: string },
  { deviceToken }: Pick<Caller, 'deviceToken'>,
): Promise<{ account: string; isKnown: boolean }> {
  const tokenHash = deviceToken === undefined ? undefined : hashToken(deviceToken)
  const userId = tokenHash && (await findKnownDevice(database.db, kind, loginName, tokenHash))
  return tokenHash && userId
    ? { account: deviceAttemptKey(userId, tokenHash), isKnown: true }
    : { account: loginAttemptKey(kind, loginName), isKnown: false }
}
