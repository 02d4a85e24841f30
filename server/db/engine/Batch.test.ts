import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Batch, HungUp } from './Batch.ts'
import { DatabaseUnavailable } from './databaseError.ts'

/** A statement that answers on request, with everything sent so far, in order. */
function slowStatement() {
  const sent: { rows: readonly number[]; answer: () => void; fail: (error: unknown) => void }[] = []
  const batch = new Batch<number, string>(
    (rows) =>
      new Promise((resolve, fail) => {
        sent.push({ rows, answer: () => resolve(rows.map((row) => `answer to ${row}`)), fail })
      }),
  )
  return { batch, sent, rows: () => sent.map((one) => one.rows) }
}

/** A statement with a batch under way: further calls have to wait. */
async function busyStatement() {
  const slow = slowStatement()
  const underWay = slow.batch.ask(-1)
  await nextTurn()
  expect(slow.rows()).toEqual([[-1]])
  return { ...slow, underWay }
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
/** The answer or error of each call. */
const ends = async (asked: Promise<string>[]) =>
  (await Promise.allSettled(asked)).map((one): unknown => (one.status === 'fulfilled' ? one.value : one.reason))
const answersTo = (rows: readonly number[]) => rows.map((row) => `answer to ${row}`)

describe('calls for one statement', () => {
  it('go at once where nobody waits, alone, and those of one moment together', async () => {
    const { batch, sent, rows } = slowStatement()
    const lone = batch.ask(1)
    await nextTurn()
    expect(rows()).toEqual([[1]])
    sent[0]!.answer()
    expect(await lone).toBe('answer to 1')
    const moment = [2, 3, 4].map((row) => batch.ask(row))
    await nextTurn()
    expect(rows()).toEqual([[1], [2, 3, 4]])
    sent[1]!.answer()
    expect(await ends(moment)).toEqual(answersTo([2, 3, 4]))
  })

  it('wait while one is under way, and go together in the next, each to its own answer', async () => {
    const { batch, sent, rows, underWay } = await busyStatement()
    const asked: Promise<string>[] = []
    for (const row of numbers(10)) {
      asked.push(batch.ask(row))
      await nextTurn()
    }
    expect(rows()).toHaveLength(1)
    sent[0]!.answer()
    await nextTurn()
    expect(rows().slice(1)).toEqual([numbers(10)])
    sent[1]!.answer()
    expect(await ends([underWay, ...asked])).toEqual(answersTo([-1, ...numbers(10)]))
  })

  it('are at most sixty-four in one, oldest first, and one after the other', async () => {
    const { batch, sent, rows } = await busyStatement()
    const asked = numbers(130).map((row) => batch.ask(row))
    for (let next = 0; next < sent.length; next += 1) {
      await nextTurn()
      expect(sent.length).toBe(next + 1)
      sent[next]!.answer()
      await nextTurn()
    }
    expect(rows().slice(1)).toEqual([numbers(130).slice(0, 64), numbers(130).slice(64, 128), [128, 129]])
    expect(await ends(asked)).toEqual(answersTo(numbers(130)))
  })
})

describe('a batch that stalls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('keeps nobody waiting for longer than a tenth of a second, nor does a second one', async () => {
    const { batch, sent, rows, underWay } = await busyStatement()
    const asked = ends([batch.ask(1)])
    await nextTurn()
    vi.advanceTimersByTime(99)
    expect(rows()).toEqual([[-1]])
    vi.advanceTimersByTime(1)
    expect(rows()).toEqual([[-1], [1]])
    const after = [2, 3].map((row) => batch.ask(row))
    await nextTurn()
    expect(rows(), 'the second is on its way').toHaveLength(2)
    vi.advanceTimersByTime(100)
    expect(rows()).toEqual([[-1], [1], [2, 3]])
    for (const { answer } of sent.toReversed()) answer()
    expect(await ends([underWay, ...after])).toEqual(answersTo([-1, 2, 3]))
    expect(await asked).toEqual(answersTo([1]))
  })

  it('is passed at once by what comes after the one that did not', async () => {
    const { batch, sent, rows } = await busyStatement()
    const asked = batch.ask(1)
    await nextTurn()
    vi.advanceTimersByTime(100)
    sent[1]!.answer()
    await asked
    void batch.ask(2)
    await nextTurn()
    expect(rows()).toEqual([[-1], [1], [2]])
  })

  it('leaves connections to others: four are under way at most', async () => {
    const { batch, sent, rows } = await busyStatement()
    for (const row of numbers(6)) {
      void batch.ask(row)
      await nextTurn()
      vi.advanceTimersByTime(100)
    }
    expect(rows()).toEqual([[-1], [0], [1], [2]])
    sent[0]!.answer()
    await nextTurn()
    expect(rows().at(-1)).toEqual([3, 4, 5])
  })
})

describe('a batch that fails', () => {
  it.each([
    ['a row of it broke a rule', Object.assign(new Error('no'), { code: '23514' })],
    ['another transaction was in its way', Object.assign(new Error('deadlock'), { code: '40P01' })],
  ])('because %s is run row by row, and the row that fails then fails alone', async (_, error) => {
    const { batch, sent, rows } = slowStatement()
    const asked = ends([1, 2, 3].map((row) => batch.ask(row)))
    await nextTurn()
    sent[0]!.fail(error)
    for (const [at, row] of [1, 2, 3].entries()) {
      await nextTurn()
      expect(rows().slice(1)[at], 'one after the other').toEqual([row])
      if (row === 2) sent.at(-1)!.fail(error)
      else sent.at(-1)!.answer()
    }
    expect(await asked).toEqual(['answer to 1', error, 'answer to 3'])
    expect(rows()).toEqual([[1, 2, 3], [1], [2], [3]])
  })

  it('of one row is not run again', async () => {
    const { batch, sent, rows } = slowStatement()
    const asked = ends([batch.ask(1)])
    await nextTurn()
    const error = new Error('no')
    sent[0]!.fail(error)
    expect(await asked).toEqual([error])
    expect(rows()).toEqual([[1]])
  })

  it.each([
    ['cannot be reached', new DatabaseUnavailable('connect')],
    ['shuts down', Object.assign(new Error('terminating'), { code: '57P01' })],
  ])('because the database %s is told to all at once, and not asked row by row', async (_, error) => {
    const { batch, sent, rows } = slowStatement()
    const asked = ends([1, 2, 3].map((row) => batch.ask(row)))
    await nextTurn()
    sent[0]!.fail(error)
    expect(await asked).toEqual([error, error, error])
    expect(rows()).toEqual([[1, 2, 3]])
  })

  it('does not ask for the rest of its rows once the database goes away between them', async () => {
    const { batch, sent, rows } = slowStatement()
    const asked = ends([1, 2, 3].map((row) => batch.ask(row)))
    await nextTurn()
    sent[0]!.fail(new Error('no'))
    await nextTurn()
    sent[1]!.answer()
    await nextTurn()
    const away = new DatabaseUnavailable('query')
    sent[2]!.fail(away)
    expect(await asked).toEqual(['answer to 1', away, away])
    expect(rows()).toEqual([[1, 2, 3], [1], [2]])
  })

  it('keeps nobody from the next', async () => {
    const { batch, sent, rows, underWay } = await busyStatement()
    const before = ends([underWay])
    const asked = ends([1, 2].map((row) => batch.ask(row)))
    sent[0]!.fail(new DatabaseUnavailable('query'))
    await before
    await nextTurn()
    expect(rows().slice(1)).toEqual([[1, 2]])
    sent[1]!.answer()
    expect(await asked).toEqual(answersTo([1, 2]))
  })
})

describe('a caller that has hung up', () => {
  it('is not sent and is told so, and harms nobody who waits beside it', async () => {
    const { batch, sent, rows } = await busyStatement()
    let isGone = false
    const asked = ends([batch.ask(1), batch.ask(2, () => isGone), batch.ask(3)])
    isGone = true
    sent[0]!.answer()
    await nextTurn()
    expect(rows().slice(1)).toEqual([[1, 3]])
    sent[1]!.answer()
    expect(await asked).toEqual(['answer to 1', expect.any(HungUp), 'answer to 3'])
  })

  it('gets an end also where it hangs up at the very moment', async () => {
    const { batch, sent } = slowStatement()
    let looked = 0
    const asked = ends([batch.ask(1, () => (looked += 1) > 1)])
    await nextTurn()
    sent[0]?.answer()
    expect(await Promise.race([asked, nextTurn('no end')])).toEqual(answersTo([1]))
  })

  it('takes no place: sixty-four of them do not keep the next from being sent', async () => {
    const { batch, sent, rows } = await busyStatement()
    const gone = ends(numbers(64).map((row) => batch.ask(row, () => true)))
    const asked = batch.ask(64)
    sent[0]!.answer()
    expect(await gone).toEqual(numbers(64).map(() => expect.any(HungUp) as HungUp))
    await nextTurn()
    expect(rows().slice(1)).toEqual([[64]])
    sent[1]!.answer()
    expect(await asked).toBe('answer to 64')
  })
})
