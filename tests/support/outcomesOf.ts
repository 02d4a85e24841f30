import type { CountingTill } from './redemptions/CountingTill.ts'
import type { Reply } from './api/portalClient.ts'

/** The long form of the faults (`npm run test:faults`), which a release wants. */
export const LONG_RUN = process.env['LOAD'] === 'long'

/** `200`, `409 VOUCHER_ALREADY_USED`; one that is to come again must say when. */
export function outcomeOf({ status, error, headers }: Pick<Reply, 'status' | 'error' | 'headers'>): string {
  const isForLater = status === 503 || error === 'VOUCHER_BUSY'
  const lacks = isForLater && !headers.has('retry-after') ? 'without Retry-After' : undefined
  return [status, error, lacks].filter(Boolean).join(' ')
}

/** How often each answer came to all of `tills` together. The long form prints it. */
export function outcomesOf(tills: readonly CountingTill[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [outcome, count] of tills.flatMap(({ outcomes }) => [...outcomes])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + count)
  }
  printOutcomes(sums)
  return sums
}

/** In the long form. */
export function printOutcomes(counts: ReadonlyMap<string, number>, of = ''): void {
  const lines = [...counts].map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`)
  if (LONG_RUN) console.log([...(of ? [of] : []), ...lines].join('\n'))
}
