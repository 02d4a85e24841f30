import { createHash } from 'node:crypto'
import type { Chance } from './Chance.ts'

/** Everything that a browser provides to the code of one tab. */
export interface Page {
  /** The wall clock, which a user can set, in milliseconds. */
  wallMs: () => number
  monotonicMs: () => number
  /** Calls `run` in the tab after `ms`; returns a function that cancels it. */
  after: (ms: number, run: () => void) => () => void
  fetch: (request: Request) => Promise<Response>
  chance: Chance
  /** Shared by the whole browser, as the tab sees it. */
  browser: {
    locks: unknown
    indexedDB: IDBFactory
    localStorage: unknown
    BroadcastChannel: unknown
  }
  isOnLine: () => boolean
  isHidden: () => boolean
}

const ORIGIN = 'http://portal.test'

/**
 * A tab's own `window`: time, randomness, the network and the browser's storage. The rest is Node's. The page's code finds
 * everything in its usual place, and nothing of another tab.
 */
export function pageWindow(page: Page) {
  const events = new EventTarget()
  const own = {
    Promise,
    // Dexie looks here for another copy of itself, to use that one instead.
    [Symbol.for('Dexie')]: undefined,
    setImmediate: undefined,
    Date: dateOf(page),
    Math: Object.create(Math, { random: { value: page.chance.next } }) as Math,
    performance: { now: page.monotonicMs },
    ...timersOf(page),
    AbortSignal: abortSignalOf(page),
    fetch: (asked: Request | string, init?: RequestInit) => page.fetch(new Request(asked, init)),
    crypto: cryptoOf(page.chance),
    indexedDB: page.browser.indexedDB,
    localStorage: page.browser.localStorage,
    BroadcastChannel: page.browser.BroadcastChannel,
    navigator: navigatorOf(page),
    location: { origin: ORIGIN, href: `${ORIGIN}/redeem`, pathname: '/redeem' },
    document: documentOf(page),
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
  }
  const window = Object.create(globalThis, Object.getOwnPropertyDescriptors(own)) as typeof own
  return Object.assign(window, { window, self: window, globalThis: window })
}

export type PageWindow = ReturnType<typeof pageWindow>

const dateOf = ({ wallMs }: Page) =>
  class extends Date {
    static override now = wallMs
    static override [Symbol.hasInstance] = (value: unknown) => Object.prototype.toString.call(value) === '[object Date]'

    constructor(...given: [] | [number | string | Date]) {
      super(given.length === 0 ? wallMs() : given[0])
    }
  }

function timersOf({ after }: Page) {
  const timers = new Map<number, () => void>()
  let made = 0
  const start = (id: number, run: () => void, ms: number, again: boolean) => {
    const happen = () => {
      if (again) start(id, run, ms, true)
      else timers.delete(id)
      run()
    }
    timers.set(id, after(ms, happen))
    return id
  }
  const clear = (id: number) => {
    timers.get(id)?.()
    timers.delete(id)
  }
  return {
    setTimeout: (run: () => void, ms = 0) => start((made += 1), run, ms, false),
    setInterval: (run: () => void, ms = 0) => start((made += 1), run, ms, true),
    clearTimeout: clear,
    clearInterval: clear,
  }
}

const abortSignalOf = ({ after }: Page) =>
  class extends AbortSignal {
    static override [Symbol.hasInstance] = (value: unknown) => value instanceof AbortSignal

    static override timeout(ms: number) {
      const controller = new AbortController()
      after(ms, () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')))
      return controller.signal
    }
  }

function cryptoOf(chance: Chance) {
  const digest = (name: string, data: BufferSource) => Promise.resolve(digestNow(name, data))
  const randomUUID = () => {
    const bytes = chance.fill(new Uint8Array(16))
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return Buffer.from(bytes)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  return { getRandomValues: <T extends ArrayBufferView>(into: T) => chance.fill(into), randomUUID, subtle: { digest } }
}

function digestNow(name: string, data: BufferSource): ArrayBuffer {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
  return new Uint8Array(createHash(name).update(bytes).digest()).buffer
}

const navigatorOf = ({ browser: { locks }, isOnLine }: Page) => ({
  locks,
  get onLine() {
    return isOnLine()
  },
})

const documentOf = ({ isHidden }: Page) =>
  Object.defineProperties(new EventTarget() as EventTarget & { readonly hidden: boolean }, {
    readyState: { value: 'complete' },
    hidden: { get: isHidden },
    visibilityState: { get: () => (isHidden() ? 'hidden' : 'visible') },
  })
