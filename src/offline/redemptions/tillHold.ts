import { v7 as uuidv7 } from 'uuid'
import { LIMITS } from '../../contract/limits.ts'
import { toBase64url } from '../../domain/base64url.ts'
import type { TillRow } from '../store/till.ts'

/** Whose till asks about which voucher; `code` where it was scanned from a signed one. */
export type VoucherOfTill = Pick<TillRow, 'serial' | 'owner' | 'owner_name' | 'till' | 'code'>

/** A hold before anyone has heard of it: its id, its secret, and what the server may know of the secret. */
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

/** SHA-256 in lower-case hex. */
async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Wall time may be set by anyone; monotonic time stands still while some devices sleep. Together they bind. */
export interface Clocks {
  wall: () => number
  monotonic: () => number
}

export interface Started {
  wall: number
  monotonic: number
}

export const startedNow = ({ wall, monotonic }: Clocks): Started => ({ wall: wall(), monotonic: monotonic() })

/** As if this page had been there then: the monotonic clock began anew with it. `at` is on the wall clock. */
export const startedAt = ({ wall, monotonic }: Clocks, at: number): Started => ({
  wall: at,
  monotonic: monotonic() - Math.max(0, wall() - at),
})

const CONFIRM_MS = LIMITS.confirmMinutes * 60_000

/** A clock that is corrected by a little is not one that was turned back. */
export const CORRECTION_MS = 2_000

/**
 * Whether the ten minutes that bind this device still run (rule 9.6): counted from the asking, by whichever clock is further on,
 * and over at once when the wall clock went back.
 */
export function mayConfirm(clocks: Clocks, started: Started): boolean {
  const wall = clocks.wall() - started.wall
  const monotonic = clocks.monotonic() - started.monotonic
  return !wentBack(clocks, started) && Math.max(wall, monotonic) < CONFIRM_MS
}

/** Whether the wall clock was turned back since, as far as this page can tell. */
export const wentBack = (clocks: Clocks, started: Started): boolean =>
  clocks.wall() - started.wall < clocks.monotonic() - started.monotonic - CORRECTION_MS

/** Which vouchers a living page is dealing with; the browser lets go of a page's locks when the page dies, however it dies. */
export interface PageLocks {
  /** Whether this page has it from now on: false where another one does. */
  keep: (id: string) => Promise<boolean>
  leave: (id: string) => void
  /** Those that a page of this browser keeps now. */
  kept: () => Promise<ReadonlySet<string>>
}

const PREFIX = 'voucher-'

/** Over the browser's Web Locks. A page without them is not secure, and can make no hold. */
export function pageLocks(): PageLocks {
  const release = new Map<string, () => void>()
  return {
    keep: (id) =>
      new Promise((kept) => {
        const untilLeft = (lock: Lock | null) => {
          kept(lock !== null)
          return lock && new Promise<void>((left) => release.set(id, left))
        }
        // Refused where the page is going away.
        navigator.locks.request(PREFIX + id, { ifAvailable: true }, untilLeft).catch(() => kept(false))
      }),
    leave: (id) => {
      release.get(id)?.()
      release.delete(id)
    },
    kept: async () => {
      const { held = [] } = await navigator.locks.query()
      return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
    },
  }
}
