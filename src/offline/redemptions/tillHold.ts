import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../contract/limits.ts'
import { toBase64url } from '../../domain/base64url.ts'
import type { TillRow } from '../store/till.ts'

/** A voucher that a till asks about. It has a `code` if a signed voucher was scanned. */
export type VoucherOfTill = Pick<TillRow, 'serial' | 'owner' | 'owner_name' | 'till' | 'code'>

/** Makes a new hold, which is not sent yet: its row with id and secret, and the hash of the secret for the server. */
export async function newHold(voucher: VoucherOfTill, now: number): Promise<{ row: TillRow; secret_hash: string }> {
  const secret = toBase64url(crypto.getRandomValues(new Uint8Array(32)))
  const { serial, owner, owner_name, till, code } = voucher
  const row: TillRow = {
    id: uuidv7(),
    secret,
    owner,
    owner_name,
    till,
    serial,
    ...(code !== undefined && { code }),
    state: 'asking',
    askedAt: now,
    sent: false,
    attempts: 0,
    nextAt: 0,
    seen: false,
  }
  return { row, secret_hash: await sha256Hex(secret) }
}

/** Returns the SHA-256 in lower-case hex. */
async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Both clocks of a page, in milliseconds. Neither is enough: the user can change the wall clock, and on some devices the monotonic
 * clock stops during sleep.
 */
export interface Clocks {
  wall: () => number
  monotonic: () => number
}

export interface ClockReading {
  wall: number
  monotonic: number
}

export const readClocks = ({ wall, monotonic }: Clocks): ClockReading => ({ wall: wall(), monotonic: monotonic() })

/** Returns what both clocks would have shown at the wall clock time `at` if this page had been open then. */
export const clocksAt = ({ wall, monotonic }: Clocks, at: number): ClockReading => ({
  wall: at,
  monotonic: monotonic() - Math.max(0, wall() - at),
})

const CONFIRM_MS = LIMITS.confirmMinutes * 60_000

/** A clock that is set back by less than this does not count as turned back. */
export const CLOCK_CORRECTION_MS = 2_000

/**
 * True while this device's ten minutes still run (rule 9.6). They begin with the request. The clock that is further ahead counts
 * them, and they are over at once if the wall clock was turned back.
 */
export function mayConfirm(clocks: Clocks, started: ClockReading): boolean {
  const wall = clocks.wall() - started.wall
  const monotonic = clocks.monotonic() - started.monotonic
  return !clockWentBack(clocks, started) && Math.max(wall, monotonic) < CONFIRM_MS
}

/** True if the wall clock was turned back after `started`, as far as this page knows. */
export const clockWentBack = (clocks: Clocks, started: ClockReading): boolean =>
  clocks.wall() - started.wall < clocks.monotonic() - started.monotonic - CLOCK_CORRECTION_MS

/** Locks for the vouchers that a page has in hand. However the page ends, the browser then releases its locks. */
export interface PageLocks {
  /** Resolves to true if this page has the lock now, and to false if another page has it. */
  lock: (id: string) => Promise<boolean>
  unlock: (id: string) => void
  /** Returns the vouchers that any page of this browser has in hand now. */
  readLockedIds: () => Promise<ReadonlySet<string>>
}

const LOCK_PREFIX = 'voucher-'

/** Uses the browser's Web Locks. Only a page without a secure origin has none, and it cannot make holds anyway. */
export function pageLocks(): PageLocks {
  const unlocks = new Map<string, () => void>()
  return {
    lock: (id) =>
      new Promise((resolve) => {
        const keepUntilUnlocked = (lock: Lock | null) => {
          resolve(lock !== null)
          return lock && new Promise<void>((unlock) => unlocks.set(id, unlock))
        }
        // The browser refuses a lock while the page is being closed.
        navigator.locks.request(LOCK_PREFIX + id, { ifAvailable: true }, keepUntilUnlocked).catch(() => resolve(false))
      }),
    unlock: (id) => {
      unlocks.get(id)?.()
      unlocks.delete(id)
    },
    readLockedIds: async () => {
      const { held = [] } = await navigator.locks.query()
      return new Set(
        held.flatMap(({ name }) => (name?.startsWith(LOCK_PREFIX) ? [name.slice(LOCK_PREFIX.length)] : [])),
      )
    },
  }
}
