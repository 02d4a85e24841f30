import type { CountingTill } from './countingTill.ts'

/** The long form of the faults (`npm run test:faults`), which a release wants. */
export const LONG = process.env['LOAD'] === 'long'

/** How often each answer came to all of `tills` together. The long form prints it. */
export function outcomesOf(tills: readonly CountingTill[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [outcome, count] of tills.flatMap(({ outcomes }) => [...outcomes])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + count)
  }
  if (LONG) console.log([...sums].map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`).join('\n'))
  return sums
}
