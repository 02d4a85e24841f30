/**
 * The few browser globals that the offline and api layers touch, for tests in plain node. The locks are exclusive per name,
 * in one process, which is all these tests need; browsers' own are tested in tests/e2e.
 */
const held = new Set<string>()
const queues = new Map<string, Promise<unknown>>()

type Work = (lock: object | null) => unknown

async function request(
  name: string,
  second: { ifAvailable?: boolean; mode?: 'shared' } | Work,
  third?: Work,
): Promise<unknown> {
  const work = typeof second === 'function' ? second : third!
  if (typeof second !== 'function' && second.ifAvailable && held.has(name)) return work(null)
  if (typeof second !== 'function' && second.mode === 'shared') return work({ name })
  const turn = (queues.get(name) ?? Promise.resolve()).then(async () => {
    held.add(name)
    try {
      return await work({ name })
    } finally {
      held.delete(name)
    }
  })
  queues.set(
    name,
    turn.catch(() => undefined),
  )
  return turn
}

/** There is one tab here: nobody else holds anything. */
const query = async () => ({ held: [], pending: [] })

class MemoryStorage {
  readonly #entries = new Map<string, string>()
  getItem = (key: string) => this.#entries.get(key) ?? null
  setItem = (key: string, value: string) => void this.#entries.set(key, value)
  removeItem = (key: string) => void this.#entries.delete(key)
  clear = () => this.#entries.clear()
}

export function installBrowserGlobals(origin = 'http://127.0.0.1'): void {
  const globals = {
    navigator: { locks: { request, query } },
    localStorage: new MemoryStorage(),
    location: { origin },
    addEventListener: () => undefined,
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}
