/*
 * Web Locks with a limit on every wait. A browser may stop a tab for hours and let it keep its locks: a waiting tab takes
 * over from a holder that has had the lock for a lease. The stopped tab later goes on, so two tabs may do the same work, as in a
 * browser without these locks. Each caller says why that does no harm.
 */

/**
 * Longer than any single request takes (TIMEOUT_MS of src/api/transport.ts, plus its body). A run of many requests may take
 * longer on a bad connection; then two tabs send, but the server takes each row once.
 */
export const LEASE_MS = 45_000

/**
 * `isLocked`: no other tab does this work, as far as this browser can tell. `isPassed` returns true if the work has taken longer
 * than a lease: another tab may have done it meanwhile.
 */
type Work<T> = (isLocked: boolean, isPassed: () => boolean) => Promise<T>

interface Wait {
  mode?: LockMode
  leaseMs?: number
}

/** Does the work when the lock is free, or when its holder has had it for a lease. */
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
    // The result is that of the work itself, because another tab may take the lock away while the work goes on.
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
      // A lock that others share cannot be taken away.
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

/** Returns the holders as one text, for a comparison. */
async function readHolders(name: string): Promise<string> {
  const { held = [] } = await navigator.locks.query()
  return JSON.stringify(held.filter((lock) => lock.name === name).map(({ clientId }) => clientId))
}
