const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000
/** The part of the server's wait that is added at random: if a server gives all devices the same time, they do not all come back at once. */
const SPREAD_OF_ASKED = 1 / 10

interface Spread {
  /** The wait that the server asked for. */
  retryAfterMs?: number | undefined
  /** Our server asked, and gives each device its own time: a device that doubled it would miss its turn. */
  isServerScheduled?: boolean | undefined
  random?: (() => number) | undefined
}

/** Returns the wait after `attempts` failures in a row, exponential, in milliseconds. */
export const backoffMs = (attempts: number, spread: Spread = {}): number =>
  spreadMs(spread.isServerScheduled ? FIRST_MS : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), spread)

/**
 * Returns a random wait from zero to `most` milliseconds (full jitter): many tablets that lost the same connection must not come
 * back in the same second. If the server asked for a wait, it is at least that long, plus a random part.
 */
export function spreadMs(most: number, { retryAfterMs = 0, random = Math.random }: Spread = {}): number {
  const chance = random()
  const asked = retryAfterMs <= 0 ? 0 : retryAfterMs + chance * Math.max(FIRST_MS, retryAfterMs * SPREAD_OF_ASKED)
  return Math.round(Math.max(asked, chance * most))
}
