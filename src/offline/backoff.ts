const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000
/** Up to this fraction of the server's wait is added at random, so that devices with the same wait do not return at once. */
const SPREAD_FRACTION = 1 / 10

interface Spread {
  /** The wait that the server asked for. */
  retryAfterMs?: number | undefined
  /** True if our server chose the wait. It gives each device its own, so the wait must not double. */
  isServerScheduled?: boolean | undefined
  random?: (() => number) | undefined
}

/** Returns the wait after `attempts` failures in a row, in milliseconds. It is random, and its limit doubles with each failure. */
export const backoffMs = (attempts: number, spread: Spread = {}): number =>
  spreadMs(spread.isServerScheduled ? FIRST_MS : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), spread)

/**
 * Returns a random wait from zero to `longestMs` (full jitter), because many tablets that lost the same connection must not return
 * in the same second. If the server asked for a wait, the result is at least that wait plus a random part.
 */
export function spreadMs(longestMs: number, { retryAfterMs = 0, random = Math.random }: Spread = {}): number {
  const chance = random()
  const askedMs = retryAfterMs <= 0 ? 0 : retryAfterMs + chance * Math.max(FIRST_MS, retryAfterMs * SPREAD_FRACTION)
  return Math.round(Math.max(askedMs, chance * longestMs))
}
