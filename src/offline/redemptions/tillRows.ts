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

/** True if the counter has created the database. To open a missing database would create an empty one. */
export const tillDatabaseExists = async (database: TillDatabase): Promise<boolean> =>
  database.isOpen() || databaseExists(database.name)

/** Returns the rows that this release can read. */
function parseTillRows(rows: unknown[]): TillRow[] {
  return rows.flatMap((row) => {
    const parsed = v.safeParse(TillRow, row)
    return parsed.success ? [parsed.output] : []
  })
}

export async function readTillRow(database: TillDatabase, id: string): Promise<TillRow | undefined> {
  return parseTillRows([await database.vouchers.get(id)])[0]
}

/** Returns all rows of the device, oldest first: the queue belongs to the device, not to a cashier. */
export const readTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  parseTillRows(await database.vouchers.orderBy('askedAt').toArray())

/**
 * Returns rows in no particular order, from one transaction. It makes one query per state, because Dexie reads several states row
 * by row.
 */
export const rowsInStates = (database: TillDatabase, states: readonly TillState[]): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const found = await Promise.all(states.map((state) => database.vouchers.where('state').equals(state).toArray()))
    return parseTillRows(found.flat())
  })

/** Longer than a day: a counter may stay open past midnight, and its clock may be some hours wrong. */
const RECENT_MS = 36 * 60 * 60 * 1000

/**
 * Returns the vouchers that the counter shows beside the tray, oldest first: recently taken ones, and all that wait or need
 * attention. Its indexes let a live query skip weeks of receipts, and not run again when a hold changes. `now` is in milliseconds
 * of this device's clock.
 */
export const takenTillRows = (database: TillDatabase, now: number): Promise<TillRow[]> =>
  // One transaction, because each is a round trip to another process, and a cashier waits for it.
  database.transaction('r', database.vouchers, async () => {
    const [recent, unfinished, voiding] = await Promise.all([
      database.vouchers
        .where('[state+askedAt]')
        .between(['receipted', now - RECENT_MS], ['receipted', Infinity])
        .toArray(),
      rowsInStates(database, ['confirmed', 'accepted', ...UNREAD_STATES]),
      database.vouchers.where('voidingAt').above(0).toArray(),
    ])
    const all = new Map([...parseTillRows([...recent, ...voiding]), ...unfinished].map((row) => [row.id, row]))
    return [...all.values()].toSorted((one, other) => one.askedAt - other.askedAt)
  })

export const tillRowsBySerial = async (database: TillDatabase, serial: string): Promise<TillRow[]> =>
  parseTillRows(await database.vouchers.where('serial').equals(serial).sortBy('askedAt'))

/** Returns rows in no particular order. Ids that are no longer on this device have no row. */
export const tillRowsByIds = async (database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> =>
  parseTillRows(await database.vouchers.bulkGet([...ids]))

/** The states in which the server holds the voucher for this till, or may hold it. */
const OPEN_STATES: readonly TillState[] = ['asking', 'held', 'confirmed']

export const openTillRows = (database: TillDatabase): Promise<TillRow[]> => rowsInStates(database, OPEN_STATES)

const WAITING_STATES: readonly TillState[] = ['confirmed', 'cancelling', 'accepted']

/** States with news that a cashier must read. */
const UNREAD_STATES: readonly TillState[] = ['attention', 'lost', 'voided']

/** Returns the rows that must be sent to the server, from one transaction, in the order of events at the counter. */
export const waitingTillRows = (database: TillDatabase): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const [waiting, voiding] = await Promise.all([
      rowsInStates(database, WAITING_STATES),
      database.vouchers.where('voidingAt').above(0).toArray(),
    ])
    // A cancel with a void request is in both results.
    const voids = parseTillRows(voiding).filter(({ state }) => !WAITING_STATES.includes(state))
    // The vouchers of a tray have one time of confirmation, so the order of their scans decides, also for their receipt numbers.
    return [...waiting, ...voids].toSorted(
      (one, other) => happenedAt(one) - happenedAt(other) || one.askedAt - other.askedAt,
    )
  })

/** Returns the vouchers that were taken and are recorded only on this device, oldest first. */
export const unsentTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await waitingTillRows(database)).filter(isUnsent)

/** Returns the rows with a refusal, loss or void that no cashier has read about yet. */
export const refusedTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await rowsInStates(database, UNREAD_STATES)).filter(needsAttention)

/** The time of the event at the counter, in milliseconds of this device's clock. */
export const happenedAt = ({ confirmedAt, askedAt }: TillRow) => confirmedAt ?? askedAt

/**
 * Reads a row and changes it in one transaction, because another tab or a late answer may have changed it before. `makeChanges`
 * returns the changes, or nothing if they no longer fit the row. Resolves to the changed row when it is on the disk, or to
 * undefined if nothing changed. Throws IndexedDB errors.
 */
export function changeTillRow(
  database: TillDatabase,
  id: string,
  makeChanges: (row: TillRow) => Partial<TillRow> | undefined | false,
): Promise<TillRow | undefined> {
  return database.transaction('rw', database.vouchers, async () => {
    const row = await readTillRow(database, id)
    const next = row && makeChanges(row)
    if (!next) return undefined
    await database.vouchers.update(id, next)
    return { ...row, ...next }
  })
}

/**
 * Returns the row of an acceptance of the same voucher, if it still waits or is newer than this row. An older, settled acceptance
 * does not count: the server has given a new hold, so it may know of a void.
 */
export const findAcceptedMeanwhile = async (
  database: TillDatabase,
  { serial, askedAt }: Pick<TillRow, 'serial' | 'askedAt'>,
): Promise<TillRow | undefined> =>
  (await tillRowsBySerial(database, serial)).find(
    (row) => isAtRisk(row) || (row.accepted !== undefined && row.askedAt >= askedAt),
  )

/** Returns the rows of `ids` that are still held, and whose voucher no other tab has accepted meanwhile. */
export async function confirmableRows(database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> {
  const held = (await tillRowsByIds(database, ids)).filter(({ state }) => state === 'held')
  const accepted = await Promise.all(held.map((row) => findAcceptedMeanwhile(database, row)))
  return held.filter((_, at) => !accepted[at])
}

/**
 * Confirms those vouchers of `ids` that may be confirmed, at `now` of this device's clock. If one row cannot be written, none is.
 * Resolves to the confirmed rows. Throws IndexedDB errors.
 */
export const confirmHeld = (database: TillDatabase, ids: readonly string[], now: number): Promise<TillRow[]> =>
  database.transaction('rw', database.vouchers, async () => {
    const rows = await confirmableRows(database, ids)
    for (const row of rows) Object.assign(row, { state: 'confirmed', confirmedAt: now } satisfies Partial<TillRow>)
    // Not with `bulkPut`, whose error hides that the disk is full.
    await Promise.all(rows.map((row) => database.vouchers.put(row)))
    return rows
  })

/** Makes all waiting rows due now, even if the server asked for a wait. */
export async function makeAllDue(database: TillDatabase): Promise<void> {
  for (const { id } of await waitingTillRows(database))
    await changeTillRow(database, id, (row) => isWaiting(row) && DUE_NOW)
}

/** Settled rows are kept for this long. The server's reports show older days. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** Deletes settled rows that are old. Rows that wait or need attention stay, however old they are. */
export async function pruneTillRows(database: TillDatabase, now: number): Promise<void> {
  const old = database.vouchers.where('askedAt').below(now - KEPT_MS)
  await old.and((row) => row.settledAt !== undefined && !isWaiting(row) && !needsAttention(row)).delete()
}
