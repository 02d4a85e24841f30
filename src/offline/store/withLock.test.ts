import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import { TabLocks } from '../../../tests/support/browser/TabLocks.ts'
import { LEASE_MS, withLock } from './withLock.ts'

let browser: TabLocks

/** Makes the next calls come from another tab of the browser. */
const inAnotherTab = () => installBrowserGlobals(undefined, browser)

beforeEach(() => {
  vi.useFakeTimers()
  browser = new TabLocks()
  inAnotherTab()
})
afterEach(() => vi.useRealTimers())

describe('work under a Web Lock', () => {
  it('waits for its turn, and is told that it is alone', async () => {
    const log: string[] = []
    const step = (name: string) => async (locked: boolean) => {
      log.push(`${name} begins ${locked}`)
      await Promise.resolve()
      log.push(`${name} ends`)
      return name
    }
    expect(await Promise.all([withLock('turn', step('first')), withLock('turn', step('second'))])).toEqual([
      'first',
      'second',
    ])
    expect(log).toEqual(['first begins true', 'first ends', 'second begins true', 'second ends'])
  })

  it('fails with its own error, and ends the lock', async () => {
    await expect(withLock('failing', () => Promise.reject(new Error('full')))).rejects.toThrow('full')
    expect(await withLock('failing', async () => 'free again')).toBe('free again')
  })

  it('is also done in a browser without locks, and is told that it may not be alone', async () => {
    Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
    const work = vi.fn(async (locked: boolean) => locked)
    expect(await withLock('none', work)).toBe(false)
  })
})

describe('a lock whose holder is stopped', () => {
  /** Holds the lock until it is told to end. */
  function stopped(name: string, mode: LockMode = 'exclusive') {
    let end: (result: string) => void = () => undefined
    let isOverdue = () => false
    const work = (_: boolean, passed: () => boolean) => {
      isOverdue = passed
      return new Promise<string>((resolve) => (end = resolve))
    }
    return { ended: withLock(name, work, { mode }), end: () => end('late'), isOverdue: () => isOverdue() }
  }
  /** Waits for the lock, and records what its work did. */
  function waiting(name: string, wait?: Parameters<typeof withLock>[2]) {
    inAnotherTab()
    const work = vi.fn(async (locked: boolean) => (locked ? 'alone' : 'perhaps not alone'))
    return { work, done: withLock(name, work, wait) }
  }

  it('is taken over after a lease and not before, and the new holder is told that it may not be alone', async () => {
    const { isOverdue } = stopped('sending')
    const { work, done } = waiting('sending')
    await vi.advanceTimersByTimeAsync(LEASE_MS - 1)
    expect([work.mock.calls.length, isOverdue()]).toEqual([0, false])
    await vi.advanceTimersByTimeAsync(2)
    expect([await done, isOverdue()]).toEqual(['perhaps not alone', true])
    expect(await waiting('sending').done, 'the next one gets it at once').toBe('alone')
  })

  it('lets the stopped work end with its own result when it continues', async () => {
    const { ended, end } = stopped('sending')
    const { done } = waiting('sending')
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1)
    await done
    end()
    expect(await ended).toBe('late')
    expect(await waiting('sending').done).toBe('alone')
  })

  it('is not taken over while others hold it in turn, each for less than a lease', async () => {
    const holders = [1, 2, 3].map(() => (inAnotherTab(), stopped('sending')))
    const { work, done } = waiting('sending')
    for (const { end } of holders) {
      await vi.advanceTimersByTimeAsync(LEASE_MS * 0.9)
      expect(work).not.toHaveBeenCalled()
      end()
    }
    expect(await done).toBe('alone')
    await vi.advanceTimersByTimeAsync(LEASE_MS * 2)
    expect(work).toHaveBeenCalledOnce()
  })

  it('delays a shared request no longer than a lease, and if it is shared, an exclusive request takes it over', async () => {
    stopped('database')
    const shared = waiting('database', { mode: 'shared' })
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1)
    expect(await shared.done).toBe('perhaps not alone')
    stopped('other', 'shared')
    const alone = waiting('other')
    await vi.advanceTimersByTimeAsync(LEASE_MS + 1)
    expect(await alone.done).toBe('perhaps not alone')
  })
})
