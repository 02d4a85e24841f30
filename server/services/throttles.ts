import { isIPv6 } from 'node:net'
import type { Db } from '../db/engine/Database.ts'
import { blockedUntil, countFailure, type Throttle } from '../db/throttles.ts'
import { HIDDEN_ADDRESS } from './accounts/sessions/Actor.ts'
import { tooManyAttempts } from './Refusal.ts'

/**
 * Counts one more attempt against `who`. Throws Refusal TOO_MANY_ATTEMPTS beyond the limit. In a transaction, the error also takes the count back,
 * because a refused attempt was not made. Callers at HIDDEN_ADDRESS are not counted.
 */
export async function refuseBeyond(db: Db, kind: Throttle, who: string, now: Date): Promise<void> {
  if (who === HIDDEN_ADDRESS) return
  const until = await countFailure(db, kind, who, now)
  if (until) throw tooManyAttempts(until, now)
}

/** Throws Refusal TOO_MANY_ATTEMPTS while `who` is blocked after too many failures. */
export async function refuseWhileBlocked(db: Db, kind: Throttle, who: string, now: Date): Promise<void> {
  if (who === HIDDEN_ADDRESS) return
  const until = await blockedUntil(db, kind, who, now)
  if (until) throw tooManyAttempts(until, now)
}

/**
 * Returns the network that attempts are counted by: an IPv4 address, or the /64 of an IPv6 address. An IPv6 connection can choose among 2^64
 * addresses of its /64.
 */
export function networkOf(ipAddress: string): string {
  const [address = ''] = ipAddress.split('%', 1)
  if (!isIPv6(address)) return ipAddress
  // URL writes every address in one form, even with an embedded IPv4 address.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail].map((groups) => groups.split(':').filter(Boolean))
  const zeros = Array<string>(8 - first!.length - last!.length).fill('0')
  return `${[...first!, ...zeros, ...last!].slice(0, 4).join(':')}::/64`
}
