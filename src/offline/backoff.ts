const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000
/** Of what the server asked for: a server that gives everybody the same time does not get everybody back at once. */
const SPREAD_OF_ASKED = 1 / 10

interface Spread {
  /** What the server asked for. */
  retryAfterMs?: number | undefined
  /** Our server asked, which gives each device a time of its own: a device that doubled it would miss its turn. */
  isTurn?: boolean | undefined
  random?: (() => number) | undefined
}

/** How long to rest after `attempts` failures in a row, exponential. */
export const backoffMs = (attempts: number, spread: Spread = {}): number =>
  spreadMs(spread.isTurn ? FIRST_MS : Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS), spread)

/**
 * A wait of this device's own. Full jitter, from nothing to `most`: many tablets that lost the same connection must not come back in
 * the same second. When the server asked for time, it gets at least that, and a spread of its own on top.
 */
export function spreadMs(most: number, { retryAfterMs = 0, random = Math.random }: Spread = {}): number {
  const chance = random()
  const asked = retryAfterMs <= 0 ? 0 : retryAfterMs + chance * Math.max(FIRST_MS, retryAfterMs * SPREAD_OF_ASKED)
  return Math.round(Math.max(asked, chance * most))
}
