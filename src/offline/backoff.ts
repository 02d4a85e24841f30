const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000
/** The fraction of the server's wait that is added at random, so that devices with the same wait do not all return at once. */
const SPREAD_FRACTION = 1 / 10

interface Spread {
  /** The wait that the server asked for. */
  retryAfterMs?: number | undefined
  /** True if our server asked for the wait. It gives each device its own turn, so the wait must not be doubled. */
  isServerScheduled?: boolean | undefined
  random?: (() => number) | undefined
}

/** Returns a random, exponentially growing wait after `attempts` failures in a row, in milliseconds. */
export const backoffMs = (attempts: number, spread: Spread = {}): number =>
  spreadMs(spread.isServerScheduled ? FIRST_MS : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), spread)

/**
 * Returns a random wait from zero to `longestMs` (full jitter): many tablets that lost the same connection must not return in the
 * same second. If the server asked for a wait, the result is that wait plus a random part, or longer.
 */
export function spreadMs(longestMs: number, { retryAfterMs = 0, random = Math.random }: Spread = {}): number {
  const chance = random()
  const askedMs = retryAfterMs <= 0 ? 0 : retryAfterMs + chance * Math.max(FIRST_MS, retryAfterMs * SPREAD_FRACTION)
  return Math.round(Math.max(askedMs, chance * longestMs))
}
