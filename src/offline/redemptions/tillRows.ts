import * as v from 'valibot'
import { databaseExists } from '../store/databases.ts'
import { DUE_NOW } from '../store/retryState.ts'
import {
  isAtRisk,
  isUnsent,
  isWaiting,
  needsAttention,
  TillRow,
  type TillDatabase,
  type TillState,
} from '../store/till.ts'

/** True if the counter has created the database: opening it would create an empty one. */
export const tillDatabaseExists = async (database: TillDatabase): Promise<boolean> =>
  database.isOpen() || databaseExists(database.name)

/** Leaves out rows that cannot be read. */
function knownTillRows(rows: unknown[]): TillRow[] {
  return rows.flatMap((row) => {
    const parsed = v.safeParse(TillRow, row)
    return parsed.success ? [parsed.output] : []
  })
}

export async function readTillRow(database: TillDatabase, id: string): Promise<TillRow | undefined> {
  return knownTillRows([await database.vouchers.get(id)])[0]
}

/** Returns all rows of the device, oldest first: the queue belongs to the device, not to a cashier. */
export const readTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.orderBy('askedAt').toArray())

/** Returns rows in no order, from one transaction. It queries each state separately, because for several at once Dexie walks from row to row. */
export const rowsInStates = (database: TillDatabase, states: readonly TillState[]): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const found = await Promise.all(states.map((state) => database.vouchers.where('state').equals(state).toArray()))
    return knownTillRows(found.flat())
  })

/** A counter may stay open past midnight, and its clock may be some hours wrong. */
const RECENT_MS = 36 * 60 * 60 * 1000

/**
 * Returns the vouchers that the counter shows beside the tray, oldest first: those taken lately, and all that wait or need
 * attention. It runs at every change of such a row. Changes of a hold do not run it, and it does not read the receipts of weeks.
 * `now` is in milliseconds of this device's clock.
 */
export const takenTillRows = (database: TillDatabase, now: number): Promise<TillRow[]> =>
  // One transaction: each one is a round trip to another process, and a cashier waits for it.
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

/** Returns rows in no order; ids that are no longer on this device have no row. */
export const tillRowsByIds = async (database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.bulkGet([...ids]))

/** Vouchers in hand or waiting to be recorded: each is a hold of this device. A row that is being let go may never have been one. */
const OPEN: readonly TillState[] = ['asking', 'held', 'confirmed']

export const openTillRows = (database: TillDatabase): Promise<TillRow[]> => rowsInStates(database, OPEN)

const WAITING: readonly TillState[] = ['confirmed', 'cancelling', 'accepted']

/** States that a cashier still has to read about. */
const UNREAD: readonly TillState[] = ['attention', 'lost', 'voided']

/** Returns the rows that the server must hear about, in the order of events at the counter and as they are at one moment. */
export const waitingTillRows = (database: TillDatabase): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const [waiting, voiding] = await Promise.all([
      rowsInStates(database, WAITING),
      database.vouchers.where('voidingAt').above(0).toArray(),
    ])
    // Both queries find a cancel with a void request.
    const voids = knownTillRows(voiding).filter(({ state }) => !WAITING.includes(state))
    // One act takes several at once: they keep the order of their scans, and so do the numbers of their receipts.
    return [...waiting, ...voids].toSorted(
      (one, other) => happenedAt(one) - happenedAt(other) || one.askedAt - other.askedAt,
    )
  })

/** Returns the money that was taken and is recorded only here, oldest first. */
export const unsentTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await waitingTillRows(database)).filter(isUnsent)

/** Returns the uploads that were refused or lost and that no cashier has read about yet. */
export const refusedTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await rowsInStates(database, UNREAD)).filter(needsAttention)

/** The time of the event at the counter, in milliseconds of this device's clock. */
export const happenedAt = ({ confirmedAt, askedAt }: TillRow) => confirmedAt ?? askedAt

/**
 * Changes a row as it is on the disk, since another tab or a late answer may have changed it first. `to` returns the changes, or
 * nothing if the step no longer fits the row. Resolves to the changed row when it has reached the disk, or to undefined if nothing
 * was changed. Throws what IndexedDB throws.
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
 * Returns the same voucher as another tab has accepted it since this one was asked about, or while it still waits. One that was
 * accepted earlier and is settled does not count: the server, which has given the hold, may know of a void.
 */
export const acceptedMeanwhile = async (
  database: TillDatabase,
  { serial, askedAt }: Pick<TillRow, 'serial' | 'askedAt'>,
): Promise<TillRow | undefined> =>
  (await tillRowsBySerial(database, serial)).find(
    (row) => isAtRisk(row) || (row.accepted !== undefined && row.askedAt >= askedAt),
  )

/** Returns those of `ids` that are still held, and whose voucher no other tab has accepted since it was asked about. */
export async function confirmableRows(database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> {
  const held = (await tillRowsByIds(database, ids)).filter(({ state }) => state === 'held')
  const accepted = await Promise.all(held.map((row) => acceptedMeanwhile(database, row)))
  return held.filter((_, at) => !accepted[at])
}

/**
 * Confirms those of `ids` that may be confirmed, at `now` of this device's clock: all of them, or none if one cannot be written.
 * Resolves to their rows. Throws what IndexedDB throws.
 */
export const confirmHeld = (database: TillDatabase, ids: readonly string[], now: number): Promise<TillRow[]> =>
  database.transaction('rw', database.vouchers, async () => {
    const rows = await confirmableRows(database, ids)
    for (const row of rows) Object.assign(row, { state: 'confirmed', confirmedAt: now } satisfies Partial<TillRow>)
    // Not in bulk: its error hides that the disk is full.
    await Promise.all(rows.map((row) => database.vouchers.put(row)))
    return rows
  })

/** Makes all waiting rows due now, also those that the server put off. */
export async function makeAllDue(database: TillDatabase): Promise<void> {
  for (const { id } of await waitingTillRows(database))
    await changeTillRow(database, id, (row) => isWaiting(row) && DUE_NOW)
}

/** Settled rows are kept for this long; for older days there are the server's reports. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** Deletes settled rows that are old. Rows that wait or need attention stay, however old they are. */
export async function pruneTillRows(database: TillDatabase, now: number): Promise<void> {
  const old = database.vouchers.where('askedAt').below(now - KEPT_MS)
  await old.and((row) => row.settledAt !== undefined && !isWaiting(row) && !needsAttention(row)).delete()
}
