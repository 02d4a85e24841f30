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
/** The ids whose calls always fail. */
let dead: string[]
/** Each function lets one waiting call continue. */
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
  batchSize: 3,
  read: async () => structuredClone([...rows.values()]),
  isFresh: ({ isFresh, attempts, pausedForConnection }) => isFresh && attempts === 0 && !pausedForConnection,
  send: async (batch, { isBacklog }) => {
    const ids = batch.map(({ id }) => id)
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
const ONCE = { isAlone: true, withPaused: false, stopped: new AbortController().signal }
const run = (withPaused = false) => sendDue(kindOf('run'), { ...ONCE, withPaused })
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

describe('sending what is due', () => {
  it('first sends the rows that a user waits for, in batches of their own, then the backlog, oldest first', async () => {
    add('abcd')
    add('wxyz', { isFresh: true })
    expect(await run()).toBeUndefined()
    expect(calls).toEqual(['wxy*', 'z*', 'abc', 'd'])
  })

  it('sends each row of a refused fresh batch alone at once, so that one row stops no other', async () => {
    add('ab')
    add('xyz', { isFresh: true })
    answers = [LATER, { kind: 'answered', later: new Map() }, LATER]
    await run()
    expect(calls).toEqual(['xyz*', 'x*', 'y*', 'z*', 'ab'])
    expect([left(), rows.get('y')!.attempts]).toEqual(['y', 1])
  })

  it('puts all rows off when the server is too busy for a fresh batch, and tries none of them alone', async () => {
    add('ab')
    add('xyz', { isFresh: true })
    answers = [BUSY]
    expect(await run()).toBe(Date.now() + 8_000)
    expect(calls).toEqual(['xyz*'])
    pass(8_000)
    await run()
    expect(calls).toEqual(['xyz*', 'abx', 'yz'])
  })

  it('keeps the one row of a fresh batch that got no final answer', async () => {
    add('xyz', { isFresh: true })
    answers = [{ kind: 'answered', later: new Map([['y', LATER]]) }]
    await run()
    expect([calls, left()]).toEqual([['xyz*'], 'y'])
  })

  it('sends a row alone after many failures, even if a user waits for it', async () => {
    add('x', { isFresh: true, attempts: 5 })
    add('yz', { isFresh: true })
    await sendDue({ ...kindOf('run'), isFresh: ({ isFresh }) => isFresh }, ONCE)
    expect(calls).toEqual(['yz*', 'x*'])
  })

  it('waits longer after each failure, and sends no row before it is due', async () => {
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

  it('keeps the unanswered row of a batch, for as long as the server asked', async () => {
    add('abc')
    answers = [{ kind: 'answered', later: new Map([['b', { ...LATER, retryAfterMs: 7_000 }]]) }]
    expect(await run()).toBe(Date.now() + 8_000)
    expect(left()).toBe('b')
    expect(await run(true), 'even when the connection is back').toBe(Date.now() + 8_000)
    expect(calls).toEqual(['abc'])
  })

  it('tries a lost connection once and pauses all rows; when it is back, sends them in one call', async () => {
    add('abc')
    add('xy', { isFresh: true })
    answers = [LINE]
    const due = await run()
    expect(await run()).toBe(due)
    expect(calls).toEqual(['xy*'])
    await run(true)
    expect(calls).toEqual(['xy*', 'abc', 'xy'])
  })

  it('sends nothing while the server is busy, whoever wakes it, and returns at the time that the server gave', async () => {
    add('a', { isFresh: true })
    for (let times = 0; times < 6; times += 1) {
      if (times === 1) add('xy', { isFresh: true })
      answers = [BUSY]
      const due = await run()
      // The server's seven seconds, plus half of the two that this device may add.
      expect(due).toBe(Date.now() + 8_000)
      expect(await run(true)).toBe(due)
      pass(8_000)
      if (times === 0) rows.get('a')!.attempts = 0
    }
    expect(calls.slice(0, 2)).toEqual(['a*', 'axy*'])
  })

  it('sends a fresh row while the server is too busy for a backlog', async () => {
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

  it('waits no longer for a busy server because the connection was lost for hours before', async () => {
    add('a')
    answers = [...Array.from({ length: 11 }, () => LINE), BUSY]
    let due: number | undefined
    for (let times = 0; times < 12; times += 1) due = await run(true)
    expect(due).toBe(Date.now() + 8_000)
  })

  it('sends at once after the clock was turned back, and waits from the new time after a failure', async () => {
    add('ab', { attempts: 8 })
    answers = [LINE, LINE]
    await run()
    pass(-29 * 60_000)
    answers = [LINE, LINE]
    const due = (await run())!
    expect(due).toBeGreaterThan(Date.now())
    expect(due).toBeLessThanOrEqual(Date.now() + 5 * 60_000)
  })

  it('comes back at a random time', async () => {
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
  ])('sends the others although %s always fails (fresh: %s)', async (stuck, isFresh) => {
    add('abcde', { isFresh })
    dead = [...stuck]
    for (let times = 0; times < 8; times += 1) await run(true)
    expect(left()).toBe(stuck)
  })

  it('tries a lost connection at most twice per run, however many rows wait and however long', async () => {
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

  it('pauses all rows when the connection is lost between two batches, after one more row', async () => {
    add('abcdefghij')
    dead = [...'defghij']
    await run()
    expect(calls).toEqual(['abc', 'def', 'd'])
    expect(left()).toBe('defghij')
  })

  it('sends the others alone when one row makes every batch fail', async () => {
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
  it('makes one more run after any number of wakes during a run, and remembers that the connection is back', async () => {
    add('a')
    holds = []
    const queue = open()
    queue.wake()
    await settle()
    add('b', { nextAt: Date.now() + 60_000, pausedForConnection: true })
    for (const withPaused of [true, false, false]) queue.wake(withPaused)
    expect(calls).toEqual(['a'])
    await goOn()
    expect(calls).toEqual(['a', 'b'])
    await goOn()
    expect(holds).toEqual([])
  })

  it('sends when the next row is due, and at the earliest after half a second', async () => {
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

  it('waits a random time when the connection is back, once for any number of returns', async () => {
    add('a', { nextAt: Date.now() + 60_000, pausedForConnection: true })
    const queue = open()
    for (let times = 0; times < 5; times += 1) queue.wakeOnReturn()
    await vi.advanceTimersByTimeAsync(999)
    expect(calls).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(calls).toEqual(['a'])
  })

  it('waits for the queue of another tab, and after a lease overtakes one that was stopped', async () => {
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

  it('sends one row now, even if it was put off', async () => {
    add('ab', { nextAt: Date.now() + 60_000, busy: 'all' })
    await open().sendNow('b')
    expect([calls, left()]).toEqual([['b*'], 'a'])
  })

  it('runs again when the work after each run is due, even if no row waits', async () => {
    const from = Date.now()
    const looks: number[] = []
    const look = async () => (looks.push(Date.now() - from) < 2 ? Date.now() + 10_000 : undefined)
    open(undefined, look).wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(looks).toEqual([0, 10_000])
  })

  it('tries again after a failed run, for example on a full disk, each time after a longer wait', async () => {
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

  it('sends nothing after it is stopped', async () => {
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
