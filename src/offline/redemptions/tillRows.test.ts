import { liveQuery } from 'dexie'
import { beforeEach, expect, it, vi } from 'vitest'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { changeTillRow, tillDatabaseExists, takenTillRows, waitingTillRows } from './tillRows.ts'

const DAY = 24 * 60 * 60 * 1000

let database: TillDatabase
beforeEach(() => {
  database = new TillDatabase(`rows ${crypto.randomUUID()}`)
})

const stored = async (...given: (Partial<TillRow> & Pick<TillRow, 'id'>)[]): Promise<void> => {
  const facts = { secret: 's', owner: 'o', owner_name: 'mei', till: 't', serial: '2' }
  const row = {
    ...facts,
    sent: true,
    attempts: 0,
    nextAt: 0,
    state: 'receipted',
    askedAt: Date.now(),
    seen: true,
  } as const
  await database.vouchers.bulkPut(given.map((one) => Object.assign({}, row, one)))
}

const weeks = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `old ${at}`, askedAt: Date.now() - 3 * DAY - at }))

const idsOf = (rows: readonly TillRow[]) => rows.map(({ id }) => id)

it('a void waits like a taken voucher until the server has answered', async () => {
  await stored(...weeks(50), { id: 'taken', state: 'confirmed' })
  await changeTillRow(database, 'old 1', () => ({ voidingAt: Date.now() }))
  expect(idsOf(await waitingTillRows(database))).toEqual(['old 1', 'taken'])
  await changeTillRow(database, 'old 1', () => ({ state: 'voided', voidingAt: undefined }))
  expect(idsOf(await waitingTillRows(database))).toEqual(['taken'])
  await changeTillRow(database, 'taken', () => ({ state: 'cancelling', voidingAt: Date.now() }))
  expect(idsOf(await waitingTillRows(database)), 'as a cancel, and only once').toEqual(['taken'])
})

it('vouchers of one tap wait in the order of their scans', async () => {
  const confirmedAt = Date.now()
  const scanned = ['c', 'a', 'b'].map((id, at) => ({ id, state: 'confirmed', confirmedAt, askedAt: at }) as const)
  await stored(...scanned, { id: 'before', state: 'confirmed', confirmedAt: confirmedAt - 1, askedAt: 9 })
  expect(idsOf(await waitingTillRows(database))).toEqual(['before', 'c', 'a', 'b'])
})

it('the counter reads recent vouchers and those that wait or need attention, oldest first, and no old receipts', async () => {
  const old = Date.now() - 3 * DAY
  await stored(
    ...weeks(50),
    { id: 'waits', state: 'confirmed', askedAt: old + 1 },
    { id: 'refused', state: 'attention', askedAt: old + 2 },
    { id: 'voiding', voidingAt: Date.now(), askedAt: old + 3 },
    { id: 'today' },
    { id: 'in hand', state: 'held' },
  )
  expect(idsOf(await takenTillRows(database, Date.now()))).toEqual(['waits', 'refused', 'voiding', 'today'])
})

it('the counter’s vouchers are not read again for a voucher that is only verified', async () => {
  await stored({ id: 'before' })
  let reads = 0
  const subscription = liveQuery(() => {
    reads += 1
    return takenTillRows(database, Date.now())
  }).subscribe({})
  await vi.waitFor(() => expect(reads).toBe(1))
  await stored({ id: 'a', state: 'asking' })
  await changeTillRow(database, 'a', () => ({ state: 'held' }))
  await changeTillRow(database, 'a', () => ({ state: 'confirmed' }))
  await vi.waitFor(() => expect(reads).toBe(2))
  await changeTillRow(database, 'a', () => ({ state: 'receipted' }))
  await vi.waitFor(() => expect(reads).toBe(3))
  subscription.unsubscribe()
})

it('the check whether the database exists does not delete one that is being created', async () => {
  const check = tillDatabaseExists(database)
  const creation = stored({ id: 'a' })
  await Promise.all([check, creation])
  const reopened = new TillDatabase(database.name)
  expect((await reopened.vouchers.toArray()).map(({ id }) => id)).toEqual(['a'])
  expect(await tillDatabaseExists(database)).toBe(true)
  expect(await tillDatabaseExists(new TillDatabase('never created'))).toBe(false)
})
