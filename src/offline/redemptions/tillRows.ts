import * as v from 'valibot'
import { isUnsent, isWaiting, needsAttention, TillRow, type TillDatabase, type TillState } from '../store/till.ts'

/** A row of another release is left alone. */
export function knownTillRows(rows: unknown[]): TillRow[] {
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

export const tillRowsBySerial = async (database: TillDatabase, serial: string): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.where('serial').equals(serial).sortBy('askedAt'))

/** In no order; ids that are not on this device any more have no row. */
export const tillRowsByIds = async (database: TillDatabase, ids: readonly string[]): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.bulkGet([...ids]))

/** Vouchers in hand or waiting to be written down: each is a hold of this device. What is being let go may never have been one. */
export const openTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.where('state').anyOf('asking', 'held', 'confirmed').toArray())

export const WAITING: readonly TillState[] = ['confirmed', 'cancelling']

/** What the server has to hear, in the order it happened at the counter. */
export async function waitingTillRows(database: TillDatabase): Promise<TillRow[]> {
  const rows = knownTillRows(await database.vouchers.where('state').anyOf(WAITING).toArray())
  return rows.toSorted((one, other) => happenedAt(one) - happenedAt(other))
}

/** Money that was taken and is not written down anywhere but here, oldest first. By its state: the receipts of weeks are not read. */
export const unsentTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await waitingTillRows(database)).filter(isUnsent)

/** Uploads that were refused, until somebody has read why. */
export const refusedTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  knownTillRows(await database.vouchers.where('state').equals('attention').toArray()).filter(needsAttention)

/** Redemptions of which the device does not know whether they were voided. Looked for before each round, among receipts of weeks. */
export async function unansweredVoids(database: TillDatabase): Promise<TillRow[]> {
  const receipted = await database.vouchers.where('state').equals('receipted').toArray()
  return knownTillRows(receipted.filter(({ voidSentAt, secret }) => voidSentAt !== undefined && secret !== ''))
}

/** At the counter, in milliseconds of this device's clock. */
export const happenedAt = ({ confirmedAt, askedAt }: TillRow) => confirmedAt ?? askedAt

/**
 * Changes a row, if it is in one of the states the step belongs to: another tab, or an answer that came late, may have been
 * quicker. Resolves to the row as it is then, when that has reached the disk; to undefined when nothing was changed.
 */
export function changeTillRow(
  database: TillDatabase,
  id: string,
  from: readonly TillState[],
  to: (row: TillRow) => Partial<TillRow> | undefined,
): Promise<TillRow | undefined> {
  return database.transaction('rw', database.vouchers, async () => {
    const row = await readTillRow(database, id)
    if (!row || !from.includes(row.state)) return undefined
    const next = to(row)
    if (!next) return undefined
    await database.vouchers.update(id, next)
    return { ...row, ...next }
  })
}

/** Whatever waits is due now, also what the server put off. */
export async function endRest(database: TillDatabase): Promise<void> {
  const due = () => ({ nextAt: 0, busyAt: undefined })
  for (const { id } of await waitingTillRows(database)) await changeTillRow(database, id, WAITING, due)
}

/** What a cashier sees of a day lives this long; after that the server's reports are the place to look. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** Drops what is settled and long over. What waits, or needs somebody, stays however old it is. */
export async function pruneTillRows(database: TillDatabase, now: number): Promise<void> {
  const old = database.vouchers.where('askedAt').below(now - KEPT_MS)
  await old.and((row) => row.settledAt !== undefined && !isWaiting(row) && !needsAttention(row)).delete()
}
