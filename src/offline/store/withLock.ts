/*
 * Web Locks with a limit on every wait. A browser may stop a tab for hours without ending its locks. So a waiting tab takes the lock
 * from a holder that has had it for a lease. When the stopped tab continues, two tabs may do the same work, as in a browser without
 * Web Locks. Each caller says why that does no harm.
 */

/**
 * Longer than any single request takes (TIMEOUT_MS of src/api/transport.ts, plus its body). On a bad connection many requests may
 * take longer. Then two tabs send, but the server accepts each row once.
 */
export const LEASE_MS = 45_000

/**
 * `isLocked` is true if no other tab does this work, as far as this browser can tell. `isOverdue` returns true if the work has taken
 * longer than a lease, so that another tab may have done it.
 */
type Work<T> = (isLocked: boolean, isOverdue: () => boolean) => Promise<T>

interface Wait {
  mode?: LockMode
  leaseMs?: number
}

/** Does the work when the lock is free, or when its holder has had it for a lease. Resolves to the result of the work. */
export function withLock<T>(
  name: string,
  work: Work<T>,
  { mode = 'exclusive', leaseMs = LEASE_MS }: Wait = {},
): Promise<T> {
  if (!navigator.locks) return startWork(work, false)
  return new Promise((resolve, reject) => {
    const waiting = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let running: Promise<T> | undefined
    const runOnce = (isLocked: boolean) => {
      clearTimeout(timer)
      return (running ??= startWork(work, isLocked))
    }
    // The result comes from the work, not from the lock, because another tab may take the lock while the work goes on.
    const settle = () => running && resolve(running)
    const request = (options: LockOptions, isLocked: boolean) =>
      navigator.locks
        .request(name, options, () => runOnce(isLocked))
        .then(settle, (error: unknown) => {
          if (running) settle()
          else if (!options.signal?.aborted) reject(error as Error)
        })
    const watchHolders = (holders: string) => {
      if (!running) timer = setTimeout(() => void takeOver(holders), leaseMs)
    }
    const takeOver = async (earlierHolders: string) => {
      const holders = await readHolders(name)
      // A new holder has its own lease.
      if (running || holders !== earlierHolders) return watchHolders(holders)
      waiting.abort()
      // Only an exclusive request can steal a lock. Shared work starts without it.
      if (mode === 'exclusive') return void request({ steal: true }, false)
      void runOnce(false)
      settle()
    }
    void request({ mode, signal: waiting.signal }, true)
    void readHolders(name).then(watchHolders, () => undefined)
  })
}

function startWork<T>(work: Work<T>, isLocked: boolean): Promise<T> {
  const began = performance.now()
  return work(isLocked, () => performance.now() - began > LEASE_MS)
}

/** Returns the holders as one text that can be compared. */
async function readHolders(name: string): Promise<string> {
  const { held = [] } = await navigator.locks.query()
  return JSON.stringify(held.filter((lock) => lock.name === name).map(({ clientId }) => clientId))
}
