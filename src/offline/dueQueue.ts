import { backoffMs } from './backoff.ts'
import { LEASE_MS, withFreeLock, withLock } from './store/withLock.ts'

export interface DueQueue {
  /** Sends what is due. Safe to call from anywhere, any number of times. `again`: also what rests after a failure. */
  wake: (again?: boolean) => void
  /** The connection is back, as it may be for everybody in the same second: wakes with `again`, at a moment of this device's own. */
  wakeOnReturn: () => void
  stop: () => void
}

interface Parts {
  /** Name of the Web Lock: of all tabs, one sends at a time. */
  lock: string
  /** What a tab does while another one sends: it waits for its turn, or leaves the work to that tab and looks again after a lease. */
  whenHeld: 'wait' | 'skip'
  /**
   * Sends what is due, and resolves to when the next entry is: milliseconds of this device's clock. When it rejects, as with a full
   * disk, it is called again after a rest that grows with each failure.
   */
  drain: (run: DrainRun) => Promise<number | undefined>
  random?: () => number
}

export interface DrainRun {
  /** Whether this tab is really alone: without Web Locks nobody knows. */
  locked: boolean
  again: boolean
  /** The queue is not this tab's any more. */
  stopped: AbortSignal
}

/** Never busier than this, however soon an entry says it is due. */
const BREATH_MS = 500

/**
 * When a queue is sent: at each wake, and when its next entry is due. A tab that dies hands over, for its lock dies with it; one that
 * the browser has stopped is passed after a lease, and then two may send, as without Web Locks. Any number of wakes while it sends make
 * it send once more: what they are about may have come too late for the run under way.
 */
export function dueQueue({ lock, whenHeld, drain, random }: Parts): DueQueue {
  const controller = new AbortController()
  const { signal: stopped } = controller
  let timer: ReturnType<typeof setTimeout> | undefined
  let returning: ReturnType<typeof setTimeout> | undefined
  let looking: ReturnType<typeof setTimeout> | undefined
  /** Since when the work has been left to another tab. */
  let leftAt: number | undefined
  let isRunning = false
  let next: { again: boolean } | undefined
  let failuresInRow = 0

  const wake = (again = false): void => {
    if (stopped.aborted) return
    if (isRunning) next = { again: again || next?.again === true }
    else void run(again)
  }
  const run = async (again: boolean) => {
    isRunning = true
    await underLock((locked) => drainOnce({ locked, again, stopped })).catch(() => undefined)
    isRunning = false
    if (!next) return
    const { again: nextAgain } = next
    next = undefined
    wake(nextAgain)
  }
  const underLock = async (work: (locked: boolean) => Promise<void>) => {
    if (whenHeld === 'wait') return withLock(lock, work)
    let isHeld = true
    await withFreeLock(lock, (locked) => {
      isHeld = false
      return work(locked)
    })
    clearTimeout(looking)
    if (!isHeld) leftAt = undefined
    else if (performance.now() - (leftAt ??= performance.now()) < LEASE_MS)
      looking = setTimeout(wake, LEASE_MS + BREATH_MS)
    else {
      // Its holder may have been stopped.
      leftAt = undefined
      await work(false)
    }
  }
  const drainOnce = async (how: DrainRun) => {
    if (stopped.aborted) return
    const dueAt = await drainOrRest(how)
    clearTimeout(timer)
    if (dueAt === undefined || stopped.aborted) return
    timer = setTimeout(wake, Math.max(dueAt - Date.now(), BREATH_MS))
  }
  const drainOrRest = async (how: DrainRun) => {
    try {
      const dueAt = await drain(how)
      failuresInRow = 0
      return dueAt
    } catch {
      failuresInRow += 1
      return Date.now() + backoffMs(failuresInRow, { random })
    }
  }
  const wakeOnReturn = () => {
    returning ??= setTimeout(
      () => {
        returning = undefined
        wake(true)
      },
      backoffMs(1, { random }),
    )
  }
  const stop = () => {
    controller.abort()
    clearTimeout(timer)
    clearTimeout(returning)
    clearTimeout(looking)
  }
  return { wake, wakeOnReturn, stop }
}

/** When the first of them is due; undefined when there is none. */
export function earliest(entries: readonly { nextAt: number }[]): number | undefined {
  return entries.length > 0 ? Math.min(...entries.map(({ nextAt }) => nextAt)) : undefined
}
