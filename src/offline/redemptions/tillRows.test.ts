import { beforeEach, describe, expect, it, vi } from 'vitest'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { changeTillRow, lookAgain, recentTillRows, unfinishedTillRows } from './tillRows.ts'

const DAY = 24 * 60 * 60 * 1000

let database: TillDatabase
beforeEach(() => {
  database = new TillDatabase(`rows ${crypto.randomUUID()}`)
})

const stored = async (...given: (Partial<TillRow> & Pick<TillRow, 'id'>)[]): Promise<void> => {
  const facts = {
    secret: 's',
    owner: 'o',
    owner_name: 'mei',
    till: 't',
    serial: '2',
    sent: true,
    attempts: 0,
    nextAt: 0,
  }
  const row = { ...facts, state: 'receipted', askedAt: Date.now(), seen: true } as const
  await database.vouchers.bulkPut(given.map((one) => Object.assign({}, row, one)))
}

const weeks = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `old ${at}`, askedAt: Date.now() - 3 * DAY - at }))

const idsOf = (rows: readonly TillRow[]) => rows.map(({ id }) => id)

describe('what is left to do with settled vouchers', () => {
  it('is found without reading the receipts of weeks again', async () => {
    await stored(...weeks(300), { id: 'unanswered', voidSentAt: 1 })
    expect(idsOf(await unfinishedTillRows(database))).toEqual(['unanswered'])
    const read = vi.spyOn(database.vouchers, 'bulkGet')
    await stored({ id: 'new' })
    expect(idsOf(await unfinishedTillRows(database))).toEqual(['unanswered'])
    expect(read.mock.calls.flatMap(([ids]) => ids as unknown as string[]).toSorted()).toEqual(['new', 'unanswered'])
  })

  it('is also a void that is sent later, and is over with its answer', async () => {
    await stored(...weeks(3))
    expect(await unfinishedTillRows(database)).toEqual([])
    await changeTillRow(database, 'old 1', ['receipted'], () => ({ voidSentAt: Date.now() }))
    expect(idsOf(await unfinishedTillRows(database))).toEqual(['old 1'])
    await changeTillRow(database, 'old 1', ['receipted'], () => ({ state: 'voided' }))
    expect(await unfinishedTillRows(database)).toEqual([])
  })

  it('is a void of another page that has died, once everything is looked at again', async () => {
    await stored(...weeks(3))
    await unfinishedTillRows(database)
    await database.vouchers.update('old 2', { voidSentAt: Date.now() })
    lookAgain(database)
    expect(idsOf(await unfinishedTillRows(database))).toEqual(['old 2'])
  })
})

it('the counter reads what is recent, open or in its bill, oldest first, and not the receipts of weeks', async () => {
  const old = Date.now() - 3 * DAY
  await stored(
    ...weeks(50),
    { id: 'waits', state: 'confirmed', askedAt: old + 1 },
    { id: 'refused', state: 'attention', askedAt: old + 2 },
    { id: 'today' },
  )
  expect(idsOf(await recentTillRows(database, Date.now(), ['old 7']))).toEqual(['old 7', 'waits', 'refused', 'today'])
})
