import type { GivenReceipt } from '../support/redemptions/CountingTill.ts'
import { median } from '../support/server/responseTimes.ts'
import type { Compared } from './compareReceipts.ts'

export interface Round {
  fault: string
  /** This and the next two are in seconds. */
  writableAgain: number
  readsAway: number
  slowestRead: number
  from: number
  to: number
}

/** The longest time without a receipt after `since`, in seconds. */
export function longestGap(receipts: readonly GivenReceipt[], since: number): number {
  const times = [since, ...receipts.map(({ at }) => at).filter((at) => at > since)].toSorted((a, b) => a - b)
  const gaps = times.slice(1).map((at, n) => at - times[n]!)
  return Math.max(0, ...gaps) / 1_000
}

export const roundLine = ({ fault, writableAgain, readsAway, slowestRead }: Round) =>
  `${fault}: writable again after ${seconds(writableAgain)}, reads away for ${seconds(readsAway)}, the slowest took ${seconds(slowestRead)}`

const HEAD = [
  'fault',
  'rounds',
  'writable again, median',
  'worst',
  'reads away, worst',
  'slowest read',
  'receipts',
  'lost',
  'doubled',
]

/** Formats one row for each fault, as Markdown. */
export function roundsTable(
  rounds: readonly Round[],
  receipts: readonly GivenReceipt[],
  { lost, doubled }: Pick<Compared, 'lost' | 'doubled'>,
): string {
  const rows = [...new Set(rounds.map(({ fault }) => fault))].map((fault) => {
    const own = rounds.filter((round) => round.fault === fault)
    const given = receipts.filter(({ at }) => own.some(({ from, to }) => at >= from && at < to))
    const ids = new Set(given.map(({ id }) => id))
    const writable = own.map(({ writableAgain }) => writableAgain)
    return [
      fault,
      own.length,
      seconds(median(writable)),
      seconds(Math.max(...writable)),
      seconds(Math.max(...own.map(({ readsAway }) => readsAway))),
      seconds(Math.max(...own.map(({ slowestRead }) => slowestRead))),
      ids.size,
      [...ids].filter((id) => lost.has(id)).length,
      [...ids].filter((id) => doubled.has(id)).length,
    ]
  })
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const seconds = (value: number) => `${value.toFixed(1)} s`
