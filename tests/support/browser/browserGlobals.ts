import { TabLocks } from './TabLocks.ts'

class MemoryStorage {
  readonly #entries = new Map<string, string>()
  getItem = (key: string) => this.#entries.get(key) ?? null
  setItem = (key: string, value: string) => void this.#entries.set(key, value)
  removeItem = (key: string) => void this.#entries.delete(key)
  clear = () => this.#entries.clear()
}

/**
 * Installs the browser globals that the offline and api layers use, for tests in plain node. They belong to one tab; `locks` are those of its
 * browser.
 */
export function installBrowserGlobals(origin = 'http://127.0.0.1', locks = new TabLocks()): void {
  const globals = {
    navigator: { locks: locks.of({ after: (_, run) => queueMicrotask(run) }) },
    localStorage: new MemoryStorage(),
    location: { origin },
    addEventListener: () => undefined,
  }
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
}
