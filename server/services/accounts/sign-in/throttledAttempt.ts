import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  attemptCancelled,
  attemptFailed,
  attemptSucceeded,
  reserveAttempt,
} from '../../../db/accounts/sign-in/loginAttempts.ts'
import { findKnownDevice } from '../../../db/accounts/sign-in/signIns.ts'
import type { Db } from '../../../db/engine/Database.ts'
import type { LoginKind } from '../../../db/schema/organisations.ts'
import { countFailure, type Throttle } from '../../../db/throttles.ts'
import type { Deps } from '../../../Deps.ts'
import { hashToken } from '../../opaqueToken.ts'
import { Refusal, tooManyAttempts } from '../../Refusal.ts'
import type { Caller } from '../sessions/Actor.ts'

/** How long an attempt waits for others under way on the same account before it is turned away, and how many may: each asks the database. */
const BUSY = { tries: 60, everyMs: 100, waiting: 50 }

let waiting = 0

/**
 * Runs one password check, and counts it against `account` when it gives `undefined`. Throws Refusal TOO_MANY_ATTEMPTS
 * without a check, and whatever `check` throws, which then counts neither way.
 */
export async function throttledAttempt<T>(
  deps: Deps,
  account: string,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { db } = deps.database
  await waitForAttempt(deps, account)
  const found = await check().catch(async (error: unknown) => {
    // A key that has been replaced, or a database that is away, says nothing about the password.
    await attemptCancelled(db, account)
    throw error
  })
  if (found === undefined) await attemptFailed(db, account, deps.clock.now())
  else await attemptSucceeded(db, account)
  return found
}

async function waitForAttempt({ database, clock }: Deps, account: string): Promise<void> {
  for (let tries = 0; tries < BUSY.tries && waiting < BUSY.waiting; tries += 1) {
    const reservation = await reserveAttempt(database.db, account, clock.now())
    if (reservation.result === 'go') return
    if (reservation.result === 'blocked') throw tooManyAttempts(reservation.until, clock.now())
    waiting += 1
    await sleep(BUSY.everyMs)
    waiting -= 1
  }
  throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: 1 })
}

/**
 * Counts one more against `who`. Throws Refusal TOO_MANY_ATTEMPTS beyond the limit. In a transaction that takes the count back, which
 * is right: what was refused was not done.
 */
export async function refuseBeyond(db: Db, kind: Throttle, who: string, now: Date): Promise<void> {
  const until = await countFailure(db, kind, who, now)
  if (until) throw tooManyAttempts(until, now)
}

/**
 * What failures of a sign-in name are counted under, of all devices together that it has not signed in with before. Names may be
 * invented and long; these are short.
 */
export const loginAttemptKey = (kind: LoginKind, loginName: string): string =>
  `${kind}:${hash('sha256', loginName, 'base64url').slice(0, 22)}`

/** What failures on one device are counted under that its user has signed in with before: no stranger can lock it out. */
export const deviceAttemptKey = (userId: string, tokenHash: string): string => `device:${userId}:${tokenHash}`

/** The key for this caller, and whether it comes from a device that this name has signed in with before. */
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

/** What a line is counted by: an IPv4 address, or the /64 of an IPv6 one, of which every line has 2^64 to choose from. */
export function networkOf(ipAddress: string): string {
  const [address = ''] = ipAddress.split('%', 1)
  if (!isIPv6(address)) return ipAddress
  // A URL writes the groups in one way, an embedded IPv4 address too.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail].map((groups) => groups.split(':').filter(Boolean))
  const zeros = Array<string>(8 - first!.length - last!.length).fill('0')
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`
}
