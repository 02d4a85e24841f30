import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import {
  makeQueue,
  sendDue,
  type QueueRules,
  type RetryLater,
  type Queue,
  type QueueRow,
  type SendResult,
} from './queue.ts'
import { LEASE_MS } from './store/withLock.ts'

interface Row extends QueueRow {
  isFresh: boolean
}

const LATER: RetryLater = { kind: 'later', connectionFailed: false, message: 'failed' }
const LINE: RetryLater = { ...LATER, connectionFailed: true }
const BUSY: RetryLater = { ...LATER, isBusy: true, retryAfterMs: 7_000 }

let rows: Map<string, Row>
let chance: number
/** The ids of each call; a star marks those that were not a backlog. */
let calls: string[]
/** The results of the next calls; after them every call is done. */
let answers: SendResult[]
/** Ids whose calls always fail. */
let dead: string[]
/** Each call waits until its function is called. */
let holds: (() => void)[] | undefined
let stops: Queue[]
let names = 0

beforeEach(() => {
  vi.useFakeTimers()
  installBrowserGlobals()
  rows = new Map()
  chance = 0.5
  calls = []
  answers = []
  dead = []
  holds = undefined
  stops = []
})
afterEach(() => {
  for (const { stop } of stops) stop()
  vi.useRealTimers()
})

const kindOf = (lock: string): QueueRules<Row> => ({
  lock,
  lotSize: 3,
  read: async () => structuredClone([...rows.values()]),
  isFresh: ({ isFresh, attempts, pausedForConnection }) => isFresh && attempts === 0 && !pausedForConnection,
  send: async (lot, { isBacklog }) => {
    const ids = lot.map(({ id }) => id)
    calls.push(ids.join('') + (isBacklog ? '' : '*'))
    if (holds) await new Promise<void>((resolve) => holds!.push(resolve))
    if (ids.some((id) => dead.includes(id))) return LINE
    const sent = answers.shift() ?? { kind: 'answered', later: new Map() }
    if (sent.kind === 'answered') for (const id of ids) if (!sent.later.has(id)) rows.delete(id)
    return sent
  },
  putOff: async (ids, state) => {
    for (const id of ids) if (rows.has(id)) Object.assign(rows.get(id)!, state)
  },
  now: () => Date.now(),
  random: () => chance,
})

const add = (ids: string, { isFresh = false, ...more }: Partial<Row> = {}) => {
  for (const id of ids) rows.set(id, { id, isFresh, attempts: isFresh ? 0 : 1, nextAt: 0, ...more })
}
const ONCE = { isAlone: true, again: false, stopped: new AbortController().signal }
const run = (again = false) => sendDue(kindOf('run'), { ...ONCE, again })
const left = () => [...rows.keys()].join('')
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
const open = (lock = `queue-${(names += 1)}`, after?: () => Promise<number | undefined>) => {
  const queue = makeQueue(kindOf(lock), after)
  stops.push(queue)
  return queue
}
/** Runs everything that does not wait for a timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const goOn = async () => {
  holds!.shift()!()
  await settle()
}

describe('what is due', () => {
  it('goes in lots, the oldest first, behind what somebody waits for, which goes in lots of its own', async () => {
    add('abcd')
    add('wxyz', { isFresh: true })
    expect(await run()).toBeUndefined()
    expect(calls).toEqual(['wxy*', 'z*', 'abc', 'd'])
  })

  it('goes alone at once where somebody waits and the server has not taken its lot: one row stops no other', async () => {
    add('ab')
    add('xyz', { isFresh: true })
    answers = [LATER, { kind: 'answered', later: new Map() }, LATER]
    await run()
    expect(calls).toEqual(['xyz*', 'x*', 'y*', 'z*', 'ab'])
    expect([left(), rows.get('y')!.attempts]).toEqual(['y', 1])
  })

  it('rests as a whole where the server is too busy for what somebody waits for, and is not tried one by one', async () => {
    add('ab')
    add('xyz', { isFresh: true })
    answers = [BUSY]
    expect(await run()).toBe(Date.now() + 8_000)
    expect(calls).toEqual(['xyz*'])
    pass(8_000)
    await run()
    expect(calls).toEqual(['xyz*', 'abx', 'yz'])
  })

  it('of a fresh lot stays where the server said nothing final of it alone, and the others are done', async () => {
    add('xyz', { isFresh: true })
    answers = [{ kind: 'answered', later: new Map([['y', LATER]]) }]
    await run()
    expect([calls, left()]).toEqual([['xyz*'], 'y'])
  })

  it('goes alone when it was doubted long enough, also where somebody still waits', async () => {
    add('x', { isFresh: true, attempts: 5 })
    add('yz', { isFresh: true })
    await sendDue({ ...kindOf('run'), isFresh: ({ isFresh }) => isFresh }, ONCE)
    expect(calls).toEqual(['yz*', 'x*'])
  })

  it('of which nothing came is tried again later and later, and nothing goes before its time', async () => {
    add('a', { isFresh: true })
    answers = [LATER, LATER]
    const rests: number[] = []
    for (let due = await run(); due !== undefined; due = await run()) {
      rests.push(due - Date.now())
      expect(await run()).toBe(due)
      pass(rests.at(-1)!)
    }
    expect(rests).toEqual([1_000, 2_000])
    expect(calls).toEqual(['a*', 'a', 'a'])
  })

  it('of a lot of which only a part was answered stays for the rest of it, for as long as was asked for it', async () => {
    add('abc')
    answers = [{ kind: 'answered', later: new Map([['b', { ...LATER, retryAfterMs: 7_000 }]]) }]
    expect(await run()).toBe(Date.now() + 8_000)
    expect(left()).toBe('b')
    expect(await run(true), 'also when the connection is back').toBe(Date.now() + 8_000)
    expect(calls).toEqual(['abc'])
  })

  it('rests for the connection as a whole, tried once; when that is back it goes in one call', async () => {
    add('abc')
    add('xy', { isFresh: true })
    answers = [LINE]
    const due = await run()
    expect(await run()).toBe(due)
    expect(calls).toEqual(['xy*'])
    await run(true)
    expect(calls).toEqual(['xy*', 'abc', 'xy'])
  })

  it('rests as a whole while the server is busy, whoever wakes it, and comes at the time that it was given, however often', async () => {
    add('a', { isFresh: true })
    for (let times = 0; times < 6; times += 1) {
      if (times === 1) add('xy', { isFresh: true })
      answers = [BUSY]
      const due = await run()
      // Seven seconds, plus half of the two that this device adds itself.
      expect(due).toBe(Date.now() + 8_000)
      expect(await run(true)).toBe(due)
      pass(8_000)
      if (times === 0) rows.get('a')!.attempts = 0
    }
    expect(calls.slice(0, 2)).toEqual(['a*', 'axy*'])
  })

  it('lets in what somebody waits for while the server is too busy for a backlog', async () => {
    add('ab')
    answers = [BUSY]
    await run()
    add('x', { isFresh: true })
    await run()
    expect(calls).toEqual(['ab', 'x*'])
    pass(8_000)
    await run()
    expect(calls).toEqual(['ab', 'x*', 'ab'])
  })

  it('does not wait longer for a busy server because the connection was away for hours before', async () => {
    add('a')
    answers = [...Array.from({ length: 11 }, () => LINE), BUSY]
    let due: number | undefined
    for (let times = 0; times < 12; times += 1) due = await run(true)
    expect(due).toBe(Date.now() + 8_000)
  })

  it('does not wait for a time by a clock that was turned back since, and rests anew when it fails', async () => {
    add('ab', { attempts: 8 })
    answers = [LINE, LINE]
    await run()
    pass(-29 * 60_000)
    answers = [LINE, LINE]
    const due = (await run())!
    expect(due).toBeGreaterThan(Date.now())
    expect(due).toBeLessThanOrEqual(Date.now() + 5 * 60_000)
  })

  it('comes back at moments of this device’s own', async () => {
    add('a')
    answers = [BUSY]
    const one = await run()
    Object.assign(rows.get('a')!, { nextAt: 0, busy: undefined })
    chance = 0.25
    answers = [BUSY]
    expect(await run()).toBe(one! - 500)
  })

  it.each([
    ['a', false],
    ['b', false],
    ['ab', false],
    ['a', true],
    ['b', true],
  ])('goes past %s, which never gets through (fresh: %s)', async (stuck, isFresh) => {
    add('abcde', { isFresh })
    dead = [...stuck]
    for (let times = 0; times < 8; times += 1) await run(true)
    expect(left()).toBe(stuck)
  })

  it('tries a connection that is away twice at one time at most, however much waits, and for however long', async () => {
    add('abcdefghij')
    add('xyz', { isFresh: true })
    dead = [...rows.keys()]
    for (let times = 0; times < 60; times += 1) {
      pass(5 * 60_000)
      calls = []
      await run()
      expect(calls.length).toBeLessThanOrEqual(2)
    }
  })

  it('rests as a whole when the connection goes between two lots, after one row more', async () => {
    add('abcdefghij')
    dead = [...'defghij']
    await run()
    expect(calls).toEqual(['abc', 'def', 'd'])
    expect(left()).toBe('defghij')
  })

  it('goes past a row that makes the server fail with every lot it is in', async () => {
    add('abc')
    for (let times = 0; times < 4; times += 1) {
      answers = [LATER]
      pass((await run())! - Date.now())
    }
    calls = []
    await run()
    expect(calls).toEqual(['a', 'b', 'c'])
  })
})

describe('a queue', () => {
  it('makes one more run of any number of wakes during a run, and does not lose the word that the connection is back', async () => {
    add('a')
    holds = []
    const queue = open()
    queue.wake()
    await settle()
    add('b', { nextAt: Date.now() + 60_000, pausedForConnection: true })
    for (const again of [true, false, false]) queue.wake(again)
    expect(calls).toEqual(['a'])
    await goOn()
    expect(calls).toEqual(['a', 'b'])
    await goOn()
    expect(holds).toEqual([])
  })

  it('sends when the next row is due, and never sooner than after half a second', async () => {
    add('a', { nextAt: Date.now() + 3_000 })
    const queue = open()
    queue.wake()
    await vi.advanceTimersByTimeAsync(2_999)
    expect(calls).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toEqual(['a'])
    add('b')
    chance = 0
    answers = [LATER]
    queue.wake()
    await vi.advanceTimersByTimeAsync(499)
    expect(calls).toEqual(['a', 'b'])
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toEqual(['a', 'b', 'b'])
  })

  it('waits for a moment of its own when the connection is back, once for any number of returns', async () => {
    add('a', { nextAt: Date.now() + 60_000, pausedForConnection: true })
    const queue = open()
    for (let times = 0; times < 5; times += 1) queue.wakeOnReturn()
    await vi.advanceTimersByTimeAsync(999)
    expect(calls).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toEqual(['a'])
  })

  it('of another tab waits for its turn, and passes one that has stopped after a lease', async () => {
    add('a')
    holds = []
    open('shared').wake()
    await settle()
    open('shared').wake()
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1)
    expect(calls).toEqual(['a'])
    await vi.advanceTimersByTimeAsync(2)
    expect(calls).toEqual(['a', 'a'])
  })

  it('sends one row now, whatever it rests for', async () => {
    add('ab', { nextAt: Date.now() + 60_000, busy: 'all' })
    await open().sendNow('b')
    expect([calls, left()]).toEqual([['b*'], 'a'])
  })

  it('runs again when what follows each run is due, also where nothing waits', async () => {
    const from = Date.now()
    const looks: number[] = []
    const look = async () => (looks.push(Date.now() - from) < 2 ? Date.now() + 10_000 : undefined)
    open(undefined, look).wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toEqual([0, 10_000])
  })

  it('comes back by itself after a run that failed, as with a full disk, later each time', async () => {
    const full = vi.fn(() => Promise.reject(new Error('the disk is full')))
    chance = 1
    open(undefined, full).wake()
    await settle()
    const waits: number[] = []
    for (let times = 0; times < 4; times += 1) {
      const from = Date.now()
      await vi.advanceTimersToNextTimerAsync()
      waits.push(Date.now() - from)
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000])
    expect(full).toHaveBeenCalledTimes(5)
  })

  it('rests for good once it is stopped', async () => {
    add('ab', { isFresh: true })
    holds = []
    const queue = open()
    queue.wake()
    await settle()
    queue.stop()
    await goOn()
    queue.wake(true)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(calls).toEqual(['ab*'])
  })
})
