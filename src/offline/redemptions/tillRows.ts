import * as v from 'valibot'
import { databaseExists } from '../store/databases.ts'
import { NO_REST } from '../store/rest.ts'
import {
  isAtRisk,
  isUnsent,
  isWaiting,
  needsAttention,
  TillRow,
  type TillDatabase,
  type TillState,
} from '../store/till.ts'

/** Whether the counter has made the database: looking into it would make an empty one. */
export const isMade = async (database: TillDatabase): Promise<boolean> =>
  database.isOpen() || databaseExists(database.name)

/** A row that cannot be read is left alone. */
function knownTillRows(rows: unknown[]): TillRow[] {
  return rows.flatMap((row) => {
    const parsed = v.safeParse(TillRow, row)
    return parsed.success ? [parsed.output] : []
  })
}

export async function readTillRow(database: TillDatabase, id: string): Promise<TillRow | undefined> {
  return knownTillRows([await database.vouchers.get(id)])[0]
}

/** Everything on the device, oldest first: the queue belongs to the device, not to a cashier. */
export const readTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.orderBy('askedAt').toArray())

/** In no order, by one transaction. State by state: of several at once Dexie walks from row to row. */
export const rowsInStates = (database: TillDatabase, states: readonly TillState[]): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const found = await Promise.all(states.map((state) => database.vouchers.where('state').equals(state).toArray()))
    return knownTillRows(found.flat())
  })

/** A counter may stay open past midnight, and its clock may be some hours off. */
const RECENT_MS = 36 * 60 * 60 * 1000

/**
 * What the counter shows beside the tray, oldest first: what was taken lately, whatever waits or needs somebody. It is read at every
 * change of such a row: of a hold none, and the receipts of weeks are not read. `now` is in milliseconds of this device's clock.
 */
export const takenTillRows = (database: TillDatabase, now: number): Promise<TillRow[]> =>
  // One transaction: each is a way to another process and back, and a cashier waits for it.
  database.transaction('r', database.vouchers, async () => {
    const [recent, open, voiding] = await Promise.all([
      database.vouchers
        .where('[state+askedAt]')
        .between(['receipted', now - RECENT_MS], ['receipted', Infinity])
        .toArray(),
      rowsInStates(database, ['confirmed', 'accepted', ...UNREAD]),
      database.vouchers.where('voidingAt').above(0).toArray(),
    ])
    const all = new Map([...knownTillRows([...recent, ...voiding]), ...open].map((row) => [row.id, row]))
    return [...all.values()].toSorted((one, other) => one.askedAt - other.askedAt)
  })

export const tillRowsBySerial = async (database: TillDatabase, serial: string): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.where('serial').equals(serial).sortBy('askedAt'))

/** In no order; ids that are not on this device any more have no row. */
export const tillRowsByIds = async (database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.bulkGet([...ids]))

/** Vouchers in hand or waiting to be written down: each is a hold of this device. What is being let go may never have been one. */
const OPEN: readonly TillState[] = ['asking', 'held', 'confirmed']

export const openTillRows = (database: TillDatabase): Promise<TillRow[]> => rowsInStates(database, OPEN)

const WAITING: readonly TillState[] = ['confirmed', 'cancelling', 'accepted']

/** Until somebody has read them. */
const UNREAD: readonly TillState[] = ['attention', 'lost', 'voided']

/** What the server has to hear, in the order it happened at the counter: as one moment has it. */
export const waitingTillRows = (database: TillDatabase): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const [waiting, voiding] = await Promise.all([
      rowsInStates(database, WAITING),
      database.vouchers.where('voidingAt').above(0).toArray(),
    ])
    // A cancel with a wish is found by both.
    const wished = knownTillRows(voiding).filter(({ state }) => !WAITING.includes(state))
    // One act takes several at once: they go in the order of their scans, and so do the numbers of their receipts.
    return [...waiting, ...wished].toSorted(
      (one, other) => happenedAt(one) - happenedAt(other) || one.askedAt - other.askedAt,
    )
  })

/** Money that was taken and is not written down anywhere but here, oldest first. */
export const unsentTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await waitingTillRows(database)).filter(isUnsent)

/** Uploads that were refused or lost, until somebody has read why. */
export const refusedTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await rowsInStates(database, UNREAD)).filter(needsAttention)

/** At the counter, in milliseconds of this device's clock. */
export const happenedAt = ({ confirmedAt, askedAt }: TillRow) => confirmedAt ?? askedAt

/**
 * Changes a row as it is on the disk: another tab, or an answer that came late, may have been quicker. `to` gives what changes, or nothing
 * where the step does not belong to the row any more. Resolves to the row as it is then, when that has reached the disk; to undefined when
 * nothing was changed. Throws what IndexedDB throws.
 */
export function changeTillRow(
  database: TillDatabase,
  id: string,
  to: (row: TillRow) => Partial<TillRow> | undefined | false,
): Promise<TillRow | undefined> {
  return database.transaction('rw', database.vouchers, async () => {
    const row = await readTillRow(database, id)
    const next = row && to(row)
    if (!next) return undefined
    await database.vouchers.update(id, next)
    return { ...row, ...next }
  })
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

/** Those of `ids` that are still held, and whose voucher no other tab has accepted since it was asked about. */
export async function confirmableRows(database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> {
  const held = (await tillRowsByIds(database, ids)).filter(({ state }) => state === 'held')
  const accepted = await Promise.all(held.map((row) => acceptedMeanwhile(database, row)))
  return held.filter((_, at) => !accepted[at])
}

/**
 * Makes those of `ids` that may be confirmed `confirmed`, at `now` of this device's clock: all of them, or none where one cannot be
 * written. Resolves to them. Throws what IndexedDB throws.
 */
export const confirmHeld = (database: TillDatabase, ids: readonly string[], now: number): Promise<TillRow[]> =>
  database.transaction('rw', database.vouchers, async () => {
    const rows = await confirmableRows(database, ids)
    for (const row of rows) Object.assign(row, { state: 'confirmed', confirmedAt: now } satisfies Partial<TillRow>)
    // Not in bulk: its error hides that the disk is full.
    await Promise.all(rows.map((row) => database.vouchers.put(row)))
    return rows
  })

/** Whatever waits is due now, also what the server put off. */
export async function endRest(database: TillDatabase): Promise<void> {
  for (const { id } of await waitingTillRows(database))
    await changeTillRow(database, id, (row) => isWaiting(row) && NO_REST)
}

/** What a cashier sees of a day lives this long; after that the server's reports are the place to look. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** Drops what is settled and long over. What waits, or needs somebody, stays however old it is. */
export async function pruneTillRows(database: TillDatabase, now: number): Promise<void> {
  const old = database.vouchers.where('askedAt').below(now - KEPT_MS)
  await old.and((row) => row.settledAt !== undefined && !isWaiting(row) && !needsAttention(row)).delete()
}
