import { Dexie } from 'dexie'
import * as v from 'valibot'
import { LIMITS } from '../../contract/limits.ts'
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
  database.isOpen() || Dexie.exists(database.name)

/** A row that does not fit is left alone: a screen must not fail over it, and money must not disappear with it. */
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

/** In no order, by one transaction. State by state: of several at once Dexie walks from row to row. */
export const rowsInStates = (database: TillDatabase, states: readonly TillState[]): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const found = await Promise.all(states.map((state) => database.vouchers.where('state').equals(state).toArray()))
    return knownTillRows(found.flat())
  })

/** A counter may stay open past midnight, and its clock may be some hours off. */
const RECENT_MS = 36 * 60 * 60 * 1000

/**
 * What the counter shows, oldest first: what was asked lately, whatever is open or needs somebody, and the vouchers `also`. It is read at
 * every change, and the receipts of weeks are not. `now` is in milliseconds of this device's clock.
 */
export const recentTillRows = (database: TillDatabase, now: number, also: readonly string[] = []): Promise<TillRow[]> =>
  // One transaction: each is a way to another process and back, and a cashier waits for it.
  database.transaction('r', database.vouchers, async () => {
    const [recent, open, named] = await Promise.all([
      database.vouchers
        .where('askedAt')
        .above(now - RECENT_MS)
        .toArray(),
      rowsInStates(database, [...OPEN, 'cancelling', 'accepted', ...UNREAD]),
      tillRowsByIds(database, also),
    ])
    const all = new Map([...knownTillRows(recent), ...open, ...named].map((row) => [row.id, row]))
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

export const WAITING: readonly TillState[] = ['confirmed', 'cancelling', 'accepted']

/** Until somebody has read them. */
const UNREAD: readonly TillState[] = ['attention', 'lost']

/** What the server has to hear, in the order it happened at the counter. */
export async function waitingTillRows(database: TillDatabase): Promise<TillRow[]> {
  const rows = await rowsInStates(database, WAITING)
  return rows.toSorted((one, other) => happenedAt(one) - happenedAt(other))
}

/** What is waiting, and what is settled and not finished, as one moment has them. */
export const waitingAndUnfinished = (database: TillDatabase): Promise<{ waiting: TillRow[]; unfinished: TillRow[] }> =>
  database.transaction('r', database.vouchers, async () => {
    const [waiting, unfinished] = await Promise.all([waitingTillRows(database), unfinishedTillRows(database)])
    return { waiting, unfinished }
  })

/** Money that was taken and is not written down anywhere but here, oldest first. By its state: the receipts of weeks are not read. */
export const unsentTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await waitingTillRows(database)).filter(isUnsent)

/** What one upload takes: so many of one kind, and what was accepted without a check of one branch. */
export const inLots = (rows: readonly TillRow[]): TillRow[][] =>
  [...new Set(rows.map(kindOf))].flatMap((kind) => {
    const alike = rows.filter((row) => kindOf(row) === kind)
    const count = Math.ceil(alike.length / LIMITS.uploadRows)
    return Array.from({ length: count }, (_, at) => alike.slice(at * LIMITS.uploadRows, (at + 1) * LIMITS.uploadRows))
  })

const kindOf = (row: TillRow) => row.accepted && isAtRisk(row) && `${row.till} ${row.accepted.branch}`

/** Uploads that were refused or lost, until somebody has read why. */
export const refusedTillRows = async (database: TillDatabase): Promise<TillRow[]> =>
  (await rowsInStates(database, UNREAD)).filter(needsAttention)

export const SETTLED: readonly TillState[] = ['receipted', 'voided', 'gone']

/** Of which the device does not know whether they were voided. */
export const isVoidUnanswered = ({ state, voidSentAt, secret }: TillRow): boolean =>
  state === 'receipted' && voidSentAt !== undefined && secret !== ''

/** Nothing has said yet that the server knows its number. */
export const isUntold = ({ taking }: TillRow): boolean => taking !== undefined && taking.told !== true

/** Settled rows in which nothing is left to do. There are receipts of weeks, and they are not read at each redemption. */
const finished = new WeakMap<TillDatabase, Set<string>>()

/** Settled rows of which the server has something more to hear or to say: a void without an answer, a number that it may not know. */
export const unfinishedTillRows = (database: TillDatabase): Promise<TillRow[]> =>
  database.transaction('r', database.vouchers, async () => {
    const before = finished.get(database) ?? new Set<string>()
    // State by state: of several at once Dexie walks from row to row.
    const settled = SETTLED.map((state) => database.vouchers.where('state').equals(state))
    const counts = await Promise.all(settled.map((rows) => rows.count()))
    if (counts.reduce((sum, count) => sum + count, 0) === before.size) return []
    const ids = (await Promise.all(settled.map((rows) => rows.primaryKeys()))).flat()
    const rows = await tillRowsByIds(
      database,
      ids.filter((id) => !before.has(id)),
    )
    const left = rows.filter((row) => isVoidUnanswered(row) || isUntold(row))
    const done = rows.filter((row) => !left.includes(row)).map(({ id }) => id)
    finished.set(database, new Set([...ids.filter((id) => before.has(id)), ...done]))
    return left
  })

/** Everything settled is looked at again: another page may have sent a void and died. */
export const lookAgain = (database: TillDatabase): void => void finished.delete(database)

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
    finished.get(database)?.delete(id)
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
  lookAgain(database)
}
