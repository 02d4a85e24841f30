import { createHash, randomUUID } from 'node:crypto'
import { Dexie, type DBCoreMutateRequest, type DBCoreMutateResponse, type DBCoreTable } from 'dexie'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HoldServer } from '../../../tests/support/redemptions/HoldServer.ts'
import {
  atMostRanges,
  countOf,
  NO_TAKING,
  numbersText,
  readTakings,
  takingText,
  toRanges,
  writeTakings,
} from '../../contract/redemptions/takings.ts'
import { TillDatabase, type TillRow } from '../store/till.ts'
import { confirmHeld, sequenceReport } from './takings.ts'
import { newHold } from './tillHold.ts'
import { changeTillRow, readTillRow, readTillRows } from './tillRows.ts'
import { sendWaiting } from './tillSender.ts'

const SERIALS = ['2000000000015', '2000000000022', '2000000000039', '2000000000046'] as const

let database: TillDatabase
let server: HoldServer
/** The device has no room for anything more. */
let isFull = false

const refusing = (table: DBCoreTable): DBCoreTable => ({
  ...table,
  mutate: (request) => (isFull ? full(request) : table.mutate(request)),
})

/** As IndexedDB refuses: each value by itself. */
const full = (request: DBCoreMutateRequest): Promise<DBCoreMutateResponse> => {
  const count = 'values' in request ? request.values.length : 0
  const failures = Object.fromEntries(Array.from({ length: count }, (_, at) => [at, new Dexie.QuotaExceededError()]))
  return Promise.resolve({ numFailures: count, failures, lastResult: undefined })
}

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  database.use({
    stack: 'dbcore',
    name: 'full',
    create: (core) => ({ ...core, table: (name) => refusing(core.table(name)) }),
  })
  server = new HoldServer()
})
afterEach(() => database.delete())

const wall = () => server.now
const ports = () => ({ database, wire: server.wire, now: wall, random: () => 0.5 })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A voucher that the server holds for this till. */
async function hold(serial: string): Promise<string> {
  const { row, secret_hash } = await newHold({ serial, owner: 'cashier', owner_name: 'till-1', till: 'device' }, wall())
  await server.wire.verify({ id: row.id, serial, secret_hash, till: row.till })
  await database.vouchers.add({ ...row, state: 'held' })
  return row.id
}

async function take(serial: string): Promise<TillRow> {
  const row = await confirmHeld(database, await hold(serial), wall)
  return row!
}

describe('what a till takes', () => {
  it('is numbered without holes, and each names the hash of the one before', async () => {
    const [first, second] = [await take(SERIALS[0]), await take(SERIALS[1])]
    expect(first).toMatchObject({ state: 'confirmed', taking: { number: 1, previous: NO_TAKING } })
    expect(second.taking).toEqual({
      sequence: first.taking!.sequence,
      number: 2,
      previous: sha256(takingText(first.taking!, first.id)),
    })
    expect(await sequenceReport(database)).toEqual({
      id: first.taking!.sequence,
      number: 2,
      hash: sha256(takingText(second.taking!, second.id)),
      open: [[1, 2]],
    })
  })

  it('gets different numbers in two tabs at once', async () => {
    const ids = [await hold(SERIALS[0]), await hold(SERIALS[1]), await hold(SERIALS[2]), await hold(SERIALS[3])]
    const otherTab = new TillDatabase(database.name)
    const rows = await Promise.all(ids.map((id, at) => confirmHeld(at % 2 === 0 ? database : otherTab, id, wall)))
    otherTab.close()
    const takings = rows.map((row) => row!.taking!).toSorted((one, other) => one.number - other.number)
    expect(takings.map(({ number }) => number)).toEqual([1, 2, 3, 4])
    expect(new Set(takings.map(({ sequence }) => sequence)).size).toBe(1)
    const hashOf = (number: number) => {
      const row = rows.find((one) => one!.taking!.number === number)!
      return sha256(takingText(row.taking!, row.id))
    }
    expect(takings.slice(1).map(({ previous }) => previous)).toEqual([1, 2, 3].map(hashOf))
  })

  it('is taken once by two taps at once, and uses one number', async () => {
    const id = await hold(SERIALS[0])
    const both = await Promise.all([confirmHeld(database, id, wall), confirmHeld(database, id, wall)])
    expect(both.filter((row) => row !== undefined)).toHaveLength(1)
    expect(await sequenceReport(database)).toMatchObject({ number: 1 })
  })

  it('is neither numbered nor confirmed where the device is full', async () => {
    await take(SERIALS[0])
    const id = await hold(SERIALS[1])
    const before = await sequenceReport(database)
    isFull = true
    // What makes room knows it by its name.
    await expect(confirmHeld(database, id, wall)).rejects.toThrow(Dexie.QuotaExceededError)
    isFull = false
    expect((await readTillRow(database, id))?.state).toBe('held')
    expect(await sequenceReport(database)).toEqual(before)
    expect(await confirmHeld(database, id, wall)).toMatchObject({ state: 'confirmed', taking: { number: 2 } })
  })

  it('leaves no hole behind a page that dies before the write', async () => {
    const id = await hold(SERIALS[0])
    const dead = new TillDatabase(database.name)
    let begun = () => undefined as void
    dead.use({
      stack: 'dbcore',
      name: 'dies',
      create: (core) => ({
        ...core,
        table: (name) => ({
          ...core.table(name),
          mutate() {
            begun()
            return new Dexie.Promise(() => undefined)
          },
        }),
      }),
    })
    await new Promise<void>((resolve) => {
      begun = resolve
      void confirmHeld(dead, id, wall).catch(() => undefined)
    })
    const other = await take(SERIALS[1])
    dead.close()
    expect(other.taking).toMatchObject({ number: 1 })
    expect(await confirmHeld(database, id, wall)).toMatchObject({ taking: { number: 2 } })
  })

  it('has no number beside the sequence of another release, which stays as it is', async () => {
    const other = { id: 'sequence', chain: 'of a later release' }
    await database.table('vouchers').put(other)
    const row = await take(SERIALS[0])
    expect(row).toMatchObject({ state: 'confirmed' })
    expect(row.taking).toBeUndefined()
    expect(await database.table('vouchers').get('sequence')).toEqual(other)
    expect(await sequenceReport(database)).toBeUndefined()
  })

  it('is found without the sequence among the rows, and without what an older tab took', async () => {
    const old = await hold(SERIALS[0])
    await changeTillRow(database, old, ['held'], () => ({ state: 'confirmed', confirmedAt: wall() }))
    expect(await sequenceReport(database)).toBeNull()
    await take(SERIALS[1])
    expect((await readTillRows(database)).map(({ serial }) => serial)).toEqual([SERIALS[0], SERIALS[1]])
    expect(await sequenceReport(database)).toMatchObject({ number: 1, open: [[1, 1]] })
  })
})

describe('the server', () => {
  const open = async () => (await sequenceReport(database))?.open

  it('is told the number with the upload and with what is undone, and then it is not open any more', async () => {
    await take(SERIALS[0])
    const undone = await take(SERIALS[1])
    await changeTillRow(database, undone.id, ['confirmed'], () => ({ state: 'cancelling' }))
    expect(await open()).toEqual([[1, 2]])
    await sendWaiting(ports())
    expect([...server.takings.keys()].toSorted((one, other) => one - other)).toEqual([1, 2])
    expect(await open()).toEqual([])
  })

  it('of the release before is told again later, a call at a time, and each number stays open until then', async () => {
    server.knowsTakings = false
    for (const serial of SERIALS) await take(serial)
    await sendWaiting(ports())
    expect(server.ledger).toHaveLength(4)
    expect(await open()).toEqual([[1, 4]])
    server.knowsTakings = true
    server.now += 10 * 60_000
    await sendWaiting(ports())
    expect([...server.takings.keys()]).toEqual([1, 2, 3, 4])
    expect(await open()).toEqual([])
    expect(server.ledger).toHaveLength(4)
  })

  it('does not hear of rows that are gone: the report has the newest number without them', async () => {
    const [, lost] = [await take(SERIALS[0]), await take(SERIALS[1]), await take(SERIALS[2])]
    await database.vouchers.delete(lost.id)
    expect(await sequenceReport(database)).toMatchObject({
      number: 3,
      open: [
        [1, 1],
        [3, 3],
      ],
    })
  })
})

describe('the numbers of a call', () => {
  const sequence = '0190c3b0-0000-7000-8000-000000000002'
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  const first = { sequence, number: 7, previous: sha256('6') }
  const second = { sequence, number: 8, previous: sha256(takingText(first, 'a')) }
  const later = { sequence, number: 12, previous: sha256('11') }

  it('are read as they were written, with the hashes that were left out', () => {
    const text = writeTakings([first, second, undefined, later])
    expect(text.split(',').map((entry) => entry.split('.').length)).toEqual([3, 2, 1, 3])
    const hash = (taking: typeof first, id: string) => ({ ...taking, hash: sha256(takingText(taking, id)) })
    expect(readTakings(text, rows, sha256)).toEqual([hash(first, 'a'), hash(second, 'b'), undefined, hash(later, 'd')])
  })

  it('are none where the text has another length, and left out one by one where it is nonsense', () => {
    expect(readTakings(writeTakings([first]), rows, sha256)).toEqual([])
    const odd = [`${sequence}.0.${sha256('')}`, `${sequence}.3`, 'x.4.y', `${sequence}.4.${'g'.repeat(64)}`].join(',')
    expect(readTakings(odd, rows, sha256)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe('numbers', () => {
  it('are told as the fewest ranges, in order', () => {
    expect(toRanges([3, 1, 2, 7, 7])).toEqual([
      [1, 3],
      [7, 7],
    ])
    expect(toRanges([])).toEqual([])
  })

  it('that are in too many ranges become more numbers rather than fewer', () => {
    const ranges = toRanges([1, 3, 5, 7])
    expect(atMostRanges(ranges, 4)).toEqual(ranges)
    expect(atMostRanges(ranges, 2)).toEqual([
      [1, 1],
      [3, 7],
    ])
  })

  it.each([
    [[47], 'number 47', 1],
    [[3, 17], 'numbers 3 and 17', 2],
    [[3, 17, 40, 41], 'numbers 3, 17 and 40 to 41', 4],
  ])('%j are read as %j', (numbers, words, count) => {
    expect(numbersText(toRanges(numbers))).toBe(words)
    expect(countOf(toRanges(numbers))).toBe(count)
  })

  it('of many ranges are told as the first, and how many more there are', () => {
    expect(numbersText(toRanges([1, 3, 5, 6, 9]), 2)).toBe('numbers 1, 3 and 3 more')
  })
})
