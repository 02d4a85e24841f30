const FIRST_MS = 2_000
const LONGEST_MS = 5 * 60_000

/** Exponential with full jitter: many tablets that lost the same connection must not come back in the same second. */
export function backoffMs(attempts: number, random = Math.random): number {
  const ceiling = Math.min(FIRST_MS * 2 ** (attempts - 1), LONGEST_MS)
  return Math.round(500 + random() * (ceiling - 500))
}
