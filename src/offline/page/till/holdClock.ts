import { LIMITS } from '../../../contract/limits.ts'

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

const CONFIRM_MS = LIMITS.confirmMinutes * 60_000
/** A clock that is corrected by a little is not one that was turned back. */
const CORRECTION_MS = 2_000

/**
 * Whether the ten minutes that bind this device still run (DESIGN §7): counted from the asking, by whichever clock is further on,
 * and over at once when the wall clock went back.
 */
export function mayConfirm(clocks: Clocks, started: Started): boolean {
  const wall = clocks.wall() - started.wall
  const monotonic = clocks.monotonic() - started.monotonic
  const wentBack = wall < monotonic - CORRECTION_MS
  return !wentBack && Math.max(wall, monotonic) < CONFIRM_MS
}
