const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000
/** Of what the server asked for: a server that gives everybody the same time does not get everybody back at once. */
const SPREAD_OF_ASKED = 1 / 10

interface Spread {
  /** What the server asked for. */
  retryAfterMs?: number | undefined
  random?: (() => number) | undefined
}

/** How long to rest after `attempts` failures in a row, exponential. */
export const backoffMs = (attempts: number, spread?: Spread): number =>
  spreadMs(Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), spread)

/**
 * A wait of this device's own. Full jitter, from nothing to `most`: many tablets that lost the same connection must not come back in
 * the same second. When the server asked for time, it gets that or `most`, whichever is longer, and the jitter comes on top.
 */
export function spreadMs(most: number, { retryAfterMs = 0, random = Math.random }: Spread = {}): number {
  if (retryAfterMs <= 0) return Math.round(random() * most)
  return Math.max(retryAfterMs, most) + Math.round(random() * Math.max(most, retryAfterMs * SPREAD_OF_ASKED))
}
