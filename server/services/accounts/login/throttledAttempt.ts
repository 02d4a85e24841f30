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
 * Runs one password check, and counts it against `account` when it gives `undefined`. Throws Refusal TOO_MANY_ATTEMPTS
 * without a check, and whatever `check` throws, which then counts neither way.
 */
export const throttledAttempt = <T>(
  deps: Deps,
  account: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> => deps.queues.attempts.run(() => attempt(deps, account, check), { key: account })

async function attempt<T>(deps: Deps, account: string, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { db } = deps.database
  const reservation = await reserveAttempt(db, account, deps.clock.now())
  if (reservation.result === 'blocked') throw tooManyAttempts(reservation.until, deps.clock.now())
  // Other servers are at it.
  if (reservation.result === 'busy') throw AGAIN_SOON
  const found = await check().catch(async (error: unknown) => {
    // A key that has been replaced, or a database that is away, says nothing about the password.
    await attemptCancelled(db, account)
    throw error
  })
  if (found === undefined) await attemptFailed(db, account, deps.clock.now())
  else await attemptSucceeded(db, account)
  return found
}

/**
 * What failures of a login name are counted under, of all devices together that it has not logged in with before. Names may be
 * invented and long; these are short.
 */
export const loginAttemptKey = (kind: LoginKind, loginName: string): string =>
  `${kind}:${hash('sha256', loginName, 'base64url').slice(0, 22)}`

/** What failures on one device are counted under that its user has logged in with before: no stranger can lock it out. */
export const deviceAttemptKey = (userId: string, tokenHash: string): string => `device:${userId}:${tokenHash}`

/** The key for this caller, and whether it comes from a device that this name has logged in with before. */
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
