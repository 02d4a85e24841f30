import { Dexie } from 'dexie'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import type { DeviceReport } from '../../contract/devices/deviceReports.ts'
import { LIMITS } from '../../contract/limits.ts'
import { NO_TAKING, takingText, atMostRanges, toRanges, type Taking } from '../../contract/redemptions/takings.ts'
import { isAtRisk, type TillDatabase, type TillRow, type TillState } from '../store/till.ts'
import { sha256Hex } from './tillHold.ts'
import { isUntold, knownTillRows, rowsInStates, tillRowsBySerial, unfinishedTillRows } from './tillRows.ts'

/**
 * What this device has taken so far (decision 0083): the number and the hash of the newest. One row among the vouchers, which no index
 * finds.
 */
const Sequence = v.object({ id: v.literal('sequence'), sequence: v.string(), number: v.number(), hash: v.string() })
type Sequence = v.InferOutput<typeof Sequence>

/** Vouchers are typed, and a row that is none is not. */
const otherTable = (database: TillDatabase) => database.table<unknown, string>('vouchers')

/** Undefined before the first taking; `unknown` is one of another release, which is left alone. */
async function readSequence(database: TillDatabase): Promise<Sequence | 'unknown' | undefined> {
  const stored = await otherTable(database).get('sequence')
  if (stored === undefined) return undefined
  const parsed = v.safeParse(Sequence, stored)
  return parsed.success ? parsed.output : 'unknown'
}

const beginning = (): Sequence => ({ id: 'sequence', sequence: uuidv7(), number: 0, hash: NO_TAKING })

export interface NextTaking {
  taking: Taking
  /** What has to be written with the taking, in one transaction. */
  sequence: Sequence
  /** Asked in that transaction: another tab may have been quicker, and then all is made anew. */
  isNext: () => Promise<boolean>
}

/**
 * The next number of this till, for the taking `id`. It is made before the transaction that writes it, which WebCrypto would end.
 * Undefined where another release numbers.
 */
export async function nextTaking(database: TillDatabase, id: string): Promise<NextTaking | undefined> {
  const before = await readSequence(database)
  if (before === 'unknown') return undefined
  const { sequence, number, hash: previous } = before ?? beginning()
  const taking = { sequence, number: number + 1, previous }
  const hash = await sha256Hex(takingText(taking, id))
  return {
    taking,
    sequence: { id: 'sequence', sequence, number: number + 1, hash },
    isNext: async () => isSame(before, await readSequence(database)),
  }
}

/**
 * Makes a held row `confirmed` with the next number, both or neither. Undefined where the row is not held any more, or another tab has
 * accepted its voucher since it was asked about. Throws what IndexedDB throws.
 */
export async function confirmHeld(
  database: TillDatabase,
  id: string,
  wall: () => number,
): Promise<TillRow | undefined> {
  const confirmed = { state: 'confirmed', confirmedAt: wall() } as const
  for (;;) {
    const next = await nextTaking(database, id)
    const row = await database.transaction('rw', database.vouchers, async () => {
      if (!next) return putConfirmed(database, id, confirmed)
      return (await next.isNext())
        ? putConfirmed(database, id, { ...confirmed, taking: next.taking }, next.sequence)
        : 'overtaken'
    })
    if (row !== 'overtaken') return row
  }
}

async function putConfirmed(database: TillDatabase, id: string, to: Partial<TillRow>, ...sequence: Sequence[]) {
  const stored = await database.vouchers.get(id)
  const [row] = knownTillRows([stored])
  if (row?.state !== 'held' || (await acceptedMeanwhile(database, row))) return undefined
  // Also what another release has stored in the row stays.
  await putTogether(database, [{ ...stored, ...to }, ...sequence])
  return { ...row, ...to }
}

/**
 * What another tab has accepted of the same voucher since it was asked about, or what still waits. One that was accepted before and is
 * settled is no hindrance: the server, which has given the hold, may know of a void.
 */
export const acceptedMeanwhile = async (
  database: TillDatabase,
  { serial, askedAt }: Pick<TillRow, 'serial' | 'askedAt'>,
): Promise<TillRow | undefined> =>
  (await tillRowsBySerial(database, serial)).find(
    (row) => isAtRisk(row) || (row.accepted !== undefined && row.askedAt >= askedAt),
  )

/** One write, so that no page dies between them. */
export const putTogether = (database: TillDatabase, rows: readonly unknown[]) =>
  otherTable(database).bulkPut(rows).catch(firstFailure)

/** What the browser said, which is how a full device is known. */
function firstFailure(error: Error): never {
  throw error instanceof Dexie.BulkError ? (error.failures[0] ?? error) : error
}

const isSame = (one: Sequence | undefined, other: Sequence | 'unknown' | undefined) =>
  other !== 'unknown' && one?.sequence === other?.sequence && one?.number === other?.number

/** The server has written the number down, as it says with its answer. */
export const told = ({ taking }: Pick<TillRow, 'taking'>, number: number | undefined): Pick<TillRow, 'taking'> =>
  taking && taking.number === number ? { taking: { ...taking, told: true } } : {}

/** Settled rows whose numbers the server may not know, the lowest first. */
export const untoldOf = (unfinished: readonly TillRow[]): TillRow[] =>
  unfinished.filter(isUntold).toSorted((one, other) => one.taking!.number - other.taking!.number)

const MAY_BE_UNTOLD: readonly TillState[] = ['confirmed', 'accepted', 'cancelling', 'attention']

/** What a report says of the takings: the newest, and all that the server may not know of yet. Undefined: of another release. */
export const sequenceReport = (database: TillDatabase): Promise<DeviceReport['sequence']> =>
  database.transaction('r', database.vouchers, async () => {
    const head = await readSequence(database)
    if (head === undefined) return null
    if (head === 'unknown') return undefined
    const { sequence, number, hash } = head
    const open = await rowsInStates(database, MAY_BE_UNTOLD)
    const untold = [...open, ...(await unfinishedTillRows(database))].filter(isUntold)
    const numbers = untold.filter(({ taking }) => taking?.sequence === sequence).map(({ taking }) => taking!.number)
    return { id: sequence, number, hash, open: atMostRanges(toRanges(numbers), LIMITS.openTakingRanges) }
  })
