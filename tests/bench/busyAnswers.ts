import type { HttpRate } from './load/keepAliveLoad.ts'

/** What to say of calls that a busy server refused (decision 0042), which no rate counts. Throws when there was another refusal. */
export function busyNote(rates: readonly Pick<HttpRate, 'refused'>[]): string {
  const others = rates.flatMap(({ refused }) => Object.keys(refused)).filter((status) => status !== '503')
  if (others.length > 0) throw new Error(`the API refused: ${others.join(', ')}`)
  const busy = rates.reduce((sum, { refused }) => sum + (refused['503'] ?? 0), 0)
  return busy === 0 ? '' : ` (${busy} refused as busy)`
}
