import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../tests/support/browser/browserGlobals.ts'
import { dueQueue, earliest, type DrainRun, type DueQueue } from './dueQueue.ts'
import { LEASE_MS } from './store/withLock.ts'

let queues: DueQueue[]
/** One for each drain that is under way; called, it ends the drain with the time of the next entry. */
let endings: ((dueAt?: number) => void)[]
let runs: DrainRun[]

beforeEach(() => {
  vi.useFakeTimers()
  installBrowserGlobals()
  queues = []
  endings = []
  runs = []
})
afterEach(() => {
  for (const { stop } of queues) stop()
  vi.useRealTimers()
})

const drain = (run: DrainRun) => {
  runs.push(run)
  return new Promise<number | undefined>((resolve) => endings.push(resolve))
}
let names = 0
function queue(whenHeld: 'wait' | 'skip', lock = `queue-${++names}`) {
  const made = dueQueue({ lock, whenHeld, drain, random: () => 0.5 })
  queues.push(made)
  return made
}
/** Lets everything happen that waits for no timer. */
const settle = () => vi.advanceTimersByTimeAsync(0)
const end = async (dueAt?: number) => {
  endings.shift()!(dueAt)
  await settle()
}

describe('a queue of what is due', () => {
  it('makes one more run of any number of wakes during a run', async () => {
    const { wake } = queue('wait')
    wake()
    await settle()
    for (let times = 0; times < 5; times += 1) wake()
    await settle()
    expect(runs).toHaveLength(1)
    await end()
    expect(runs).toHaveLength(2)
    await end()
    expect(runs).toHaveLength(2)
  })

  it.each(['wait', 'skip'] as const)(
    'offline 76: does not lose the word that the connection is back (%s)',
    async (whenHeld) => {
      const { wake } = queue(whenHeld)
      wake()
      await settle()
      wake(true)
      wake()
      await end()
      expect(runs.map(({ again }) => again)).toEqual([false, true])
      wake()
      await end()
      expect(
        runs.map(({ again }) => again),
        'and not longer than one run',
      ).toEqual([false, true, false])
    },
  )

  it('is woken when its next entry is due, and never sooner than after half a second', async () => {
    const { wake } = queue('wait')
    wake()
    await settle()
    await end(Date.now() + 3_000)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(runs).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(runs).toHaveLength(2)
    await end(Date.now() - 1)
    await vi.advanceTimersByTimeAsync(499)
    expect(runs).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(runs).toHaveLength(3)
    await end()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(runs, 'nothing waits').toHaveLength(3)
  })

  it('waits for a moment of its own when the connection is back, and wakes once for any number of returns', async () => {
    const { wakeOnReturn } = queue('wait')
    for (let times = 0; times < 5; times += 1) wakeOnReturn()
    await vi.advanceTimersByTimeAsync(999)
    expect(runs).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    await end()
    expect(runs.map(({ again }) => again)).toEqual([true])
    wakeOnReturn()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(runs.map(({ again }) => again)).toEqual([true, true])
    await end()
  })

  it('leaves the work to the tab that is at it, if that is enough', async () => {
    const [one, other] = [queue('skip', 'shared'), queue('skip', 'shared')]
    one.wake(true)
    await settle()
    other.wake(true)
    await settle()
    await end()
    await vi.advanceTimersByTimeAsync(LEASE_MS)
    expect(runs).toHaveLength(1)
  })

  it('looks again after a lease, and goes on without a tab that has been at it all the time: it may have been stopped', async () => {
    const [one, other] = [queue('skip', 'stopped'), queue('skip', 'stopped')]
    one.wake()
    await settle()
    other.wake()
    await settle()
    await vi.advanceTimersByTimeAsync(LEASE_MS)
    other.wake()
    await settle()
    expect(runs.map(({ locked }) => locked)).toEqual([true, false])
    // It wakes up: the next run of either is alone again.
    await end()
    await end()
    other.wake()
    await settle()
    expect(runs.map(({ locked }) => locked)).toEqual([true, false, true])
    await end()
  })

  it('waits for its turn behind another tab, if it must', async () => {
    const [one, other] = [queue('wait', 'shared'), queue('wait', 'shared')]
    one.wake()
    other.wake()
    await settle()
    expect(runs).toHaveLength(1)
    await end()
    expect(runs).toHaveLength(2)
  })

  it('goes on after a run that failed', async () => {
    const failing = vi.fn(() => Promise.reject(new Error('the disk is full')))
    const made = dueQueue({ lock: 'failing', whenHeld: 'wait', drain: failing })
    made.wake()
    made.wake()
    await settle()
    expect(failing).toHaveBeenCalledTimes(2)
    made.wake()
    await settle()
    expect(failing).toHaveBeenCalledTimes(3)
  })

  it('comes back by itself after a run that failed, later each time, and soon again after one that did not', async () => {
    const full = () => Promise.reject(new Error('the disk is full'))
    const failing = vi.fn<() => Promise<number | undefined>>(full)
    const made = dueQueue({ lock: 'full', whenHeld: 'wait', drain: failing, random: () => 1 })
    queues.push(made)
    made.wake()
    await settle()
    const waits: number[] = []
    for (let times = 0; times < 4; times += 1) {
      const [before, from] = [failing.mock.calls.length, Date.now()]
      await vi.advanceTimersToNextTimerAsync()
      expect(failing).toHaveBeenCalledTimes(before + 1)
      waits.push(Date.now() - from)
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 16_000])
    failing.mockResolvedValueOnce(undefined)
    made.wake()
    await settle()
    made.wake()
    await settle()
    const from = Date.now()
    await vi.advanceTimersToNextTimerAsync()
    expect(Date.now() - from).toBe(2_000)
  })

  it('says so where the browser has no locks', async () => {
    Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
    queue('skip').wake()
    queue('wait').wake()
    await settle()
    expect(runs.map(({ locked }) => locked)).toEqual([false, false])
  })

  it('rests for good once it is stopped', async () => {
    const { wake, stop } = queue('wait')
    wake()
    await settle()
    wake(true)
    stop()
    expect(runs[0]!.stopped.aborted).toBe(true)
    await end(Date.now())
    wake()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(runs).toHaveLength(1)
  })
})

describe('the earliest entry', () => {
  it('is that with the first time, if there is one', () => {
    expect(earliest([{ nextAt: 3 }, { nextAt: 1 }])).toBe(1)
    expect(earliest([])).toBeUndefined()
  })
})
