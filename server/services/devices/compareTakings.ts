import type { DeviceReport } from '../../../src/contract/devices/deviceReports.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { NO_TAKING, isInRanges, type NumberRange } from '../../../src/contract/redemptions/takings.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  findCompared,
  noteArrived,
  noteBroken,
  noteMissing,
  putCompared,
  type TillSequence,
} from '../../db/redemptions/takings.ts'
import type { ComparedSequence } from '../../db/schema/devices.ts'

type Said = NonNullable<DeviceReport['sequence']>

/** A report of another tab may come this much later than it was made. What says an earlier time than that comes from a clock that was set. */
const STALE_MS = 5 * 60_000

/**
 * Compares what a till says that it took with what has arrived (decision 0083), and notes what is missing. `sequence` is that of the
 * report; undefined says nothing, `null` that its storage is empty. Most reports say nothing new, and cost one look.
 */
export async function compareTakings(
  db: Db,
  till: Omit<TillSequence, 'sequence'>,
  { sequence: said, at }: Pick<DeviceReport, 'sequence' | 'at'>,
  now: Date,
): Promise<void> {
  if (said === undefined) return
  const before = await findCompared(db, till.tillGuid)
  if (!before || (before.missing === 0 && isSame(before.compared, said))) return
  await db.transaction(async (tx: Db) => {
    const { compared = null, missing = 0 } = (await findCompared(tx, till.tillGuid, true)) ?? {}
    if (isStale(compared, said, at)) return
    if (compared && compared.id !== said?.id) await noteLost(tx, till, compared, now)
    const last = compared?.id === said?.id ? compared : null
    if (!said) return putCompared(tx, till.tillGuid, null)
    const next = missing < LIMITS.missingTakings ? nextCompared(last, said, at) : undefined
    if (next) await noteHoles(tx, { ...till, sequence: said.id }, last, said, next, now)
    await noteLate(tx, till, said, now)
    if (next) await putCompared(tx, till.tillGuid, next)
  })
}

const isSame = (compared: ComparedSequence | null, said: Said | null) =>
  compared?.id === said?.id && compared?.number === said?.number && String(compared?.open) === String(said?.open)

/** Of a tab that has not seen yet what another one told the server. */
function isStale(compared: ComparedSequence | null, said: Said | null, at: string): boolean {
  if (!compared) return false
  if (compared.id === said?.id) return said.number < compared.number
  const earlierBy = Date.parse(compared.at) - Date.parse(at)
  return earlierBy > 0 && earlierBy < STALE_MS
}

/** The storage of the till was emptied: what was still on it then does not come any more, unless it has. */
const noteLost = (tx: Db, till: Omit<TillSequence, 'sequence'>, { id, open }: ComparedSequence, now: Date) =>
  noteMissing(tx, { ...till, sequence: id }, numbersOf(open), now)

/** As far as one report is compared: a till of years, heard for the first time, takes some. */
const nextCompared = (last: ComparedSequence | null, { id, number, open }: Said, at: string): ComparedSequence => ({
  id,
  number: Math.min(number, (last?.number ?? 0) + LIMITS.takingsCompared),
  open,
  at,
})

/** Of the numbers that are new, and of those that were on the device at the last report and are not any more. */
async function noteHoles(
  tx: Db,
  of: TillSequence,
  last: ComparedSequence | null,
  said: Said,
  next: ComparedSequence,
  now: Date,
): Promise<void> {
  const fresh = numbersOf([[(last?.number ?? 0) + 1, next.number]])
  const gone = [...numbersOf(last?.open ?? []), ...fresh].filter((number) => !isInRanges(said.open, number))
  await noteMissing(tx, of, gone, now)
  await noteBroken(tx, of, withNext(gone), headOf(said), now)
}

/** What was missing and has arrived: whether it fits its neighbours can be seen now. */
async function noteLate(tx: Db, till: Omit<TillSequence, 'sequence'>, said: Said, now: Date): Promise<void> {
  const arrived = await noteArrived(tx, till.tillGuid)
  const own = arrived.filter(({ sequence }) => sequence === said.id).map(({ number }) => number)
  if (own.length > 0) await noteBroken(tx, { ...till, sequence: said.id }, withNext(own), headOf(said), now)
}

const headOf = ({ number, hash }: Said) => ({ number, hash, first: NO_TAKING })

const withNext = (numbers: readonly number[]) => [...new Set(numbers.flatMap((number) => [number, number + 1]))]

/** No more than are compared at one time, however wide the ranges are. */
function numbersOf(ranges: readonly NumberRange[]): number[] {
  const numbers: number[] = []
  for (const [from, to] of ranges) {
    const end = Math.min(to, from + LIMITS.takingsCompared - numbers.length - 1)
    for (let number = from; number <= end; number += 1) numbers.push(number)
  }
  return numbers
}
