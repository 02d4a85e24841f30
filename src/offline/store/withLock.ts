/*
 * Web Locks, and no wait for one without an end. A browser may stop a tab for hours, and leaves it its locks: whoever waits passes a holder
 * that has had one for a lease. What was stopped goes on when the browser lets it, so two may be at the same work then, as in a browser
 * without these locks. Whoever uses them says at the call why that does no harm.
 */

/**
 * Longer than any one request takes (TIMEOUT_MS of src/api/transport.ts, and its body). A round of many requests may take longer on a bad
 * line; then two tabs send, and the server takes each row once.
 */
export const LEASE_MS = 45_000

/**
 * `locked`: nobody else is at it, as far as this browser can tell. `isPassed`: it has taken longer than a lease, so that another tab may
 * have done it since, and gone on from there.
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
    // The work has an end of its own: its lock may be taken away while it goes on.
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
      // A new holder has a lease of its own.
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

/** As one text, to be compared. */
async function holdersOf(name: string): Promise<string> {
  const { held = [] } = await navigator.locks.query()
  return JSON.stringify(held.filter((lock) => lock.name === name).map(({ clientId }) => clientId))
}
