/*
 * Web Locks with a limit on every wait. A browser may stop a tab for hours and let it keep its locks: a waiting tab passes a holder
 * that has had the lock for a lease. The stopped tab later goes on, so two tabs may do the same work, as in a browser without these
 * locks. Each caller says why that does no harm.
 */

/**
 * Longer than any single request takes (TIMEOUT_MS of src/api/transport.ts, and its body). A round of many requests may take longer
 * on a bad connection; then two tabs send, and the server takes each row once.
 */
export const LEASE_MS = 45_000

/**
 * `locked`: no other tab does this work, as far as this browser can tell. `isPassed`: the work has taken longer than a lease, so
 * that another tab may have done it since and gone on from there.
 */
type Work<T> = (locked: boolean, isPassed: () => boolean) => Promise<T>

interface Wait {
  mode?: LockMode
  lease?: number
}

/** Does the work once the lock is free, or once its holder has had it for a lease. */
export function withLock<T>(
  name: string,
  work: Work<T>,
  { mode = 'exclusive', lease = LEASE_MS }: Wait = {},
): Promise<T> {
  if (!navigator.locks) return begin(work, false)
  return new Promise((resolve, reject) => {
    const waiting = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let running: Promise<T> | undefined
    const once = (locked: boolean) => {
      clearTimeout(timer)
      return (running ??= begin(work, locked))
    }
    // The result comes from the work itself: its lock may be taken away while it goes on.
    const end = () => running && resolve(running)
    const request = (options: LockOptions, locked: boolean) =>
      navigator.locks
        .request(name, options, () => once(locked))
        .then(end, (error: unknown) => {
          if (running) end()
          else if (!options.signal?.aborted) reject(error as Error)
        })
    const expire = (holders: string) => {
      if (!running) timer = setTimeout(() => void pass(holders), lease)
    }
    const pass = async (before: string) => {
      const holders = await holdersOf(name)
      // A new holder has its own lease.
      if (running || holders !== before) return expire(holders)
      waiting.abort()
      // A lock that others share cannot be taken away.
      if (mode === 'exclusive') return void request({ steal: true }, false)
      void once(false)
      end()
    }
    void request({ mode, signal: waiting.signal }, true)
    void holdersOf(name).then(expire, () => undefined)
  })
}

function begin<T>(work: Work<T>, locked: boolean): Promise<T> {
  const began = performance.now()
  return work(locked, () => performance.now() - began > LEASE_MS)
}

/** The holders as one text, for a comparison. */
async function holdersOf(name: string): Promise<string> {
  const { held = [] } = await navigator.locks.query()
  return JSON.stringify(held.filter((lock) => lock.name === name).map(({ clientId }) => clientId))
}
