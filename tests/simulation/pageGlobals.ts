import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { installBrowserGlobals } from '../support/browser/browserGlobals.ts'
import type { Chance } from './Chance.ts'
import type { TabLocks } from './TabLocks.ts'

/** What a browser gives to the code of one tab. */
export interface Page {
  /** By the clock that anybody can set, in milliseconds. */
  wallMs: () => number
  monotonicMs: () => number
  after: (ms: number, run: () => void) => () => void
  fetch: (request: Request) => Promise<Response>
  locks: ReturnType<TabLocks['of']>
  chance: Chance
}

const ORIGIN = 'http://portal.test'

/** Whose code runs. One at a time, until nothing of it moves any more. */
let running: Page | undefined
/** Tells a page's code from that of a server, whose timers go on meanwhile. */
const inPages = new AsyncLocalStorage<{ isSent?: boolean }>()
const current = (): Page | undefined => (inPages.getStore() ? running : undefined)
/** What it has begun and Node has not come to yet: steps of IndexedDB, and reading a request. */
let underWay = 0

const real = { now: Date.now, setImmediate, setTimeout, clearTimeout }
const timers = new Map<number, () => void>()
let timer = 0

/**
 * Puts the product's sources of time and chance, and its way to the network, into the hands of the tab that runs. The product takes
 * them from where it always does.
 */
export function installPageGlobals(): void {
  const { random } = Math
  const monotonic = performance.now.bind(performance)
  const { fetch } = globalThis
  const digest = crypto.subtle.digest.bind(crypto.subtle)
  const fill = crypto.getRandomValues.bind(crypto)

  Date.now = () => current()?.wallMs() ?? real.now()
  performance.now = () => current()?.monotonicMs() ?? monotonic()
  Math.random = () => current()?.chance.next() ?? random()
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0) => {
      const page = current()
      return page ? setTimer(page, run, ms) : real.setTimeout(run, ms)
    },
    clearTimeout: (id: unknown) => (typeof id === 'number' ? clearTimer(id) : real.clearTimeout(id as never)),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
      real.setImmediate(current() ? counted(run) : run, ...args),
    fetch: (request: Request, init?: RequestInit) => {
      noteSent()
      return current()?.fetch(request) ?? fetch(request, init)
    },
  })
  crypto.getRandomValues = <T>(into: T) => (current()?.chance.fill(into as never) ?? fill(into as never)) as T
  crypto.subtle.digest = (name, data) => (current() ? Promise.resolve(digestNow(name, data)) : digest(name, data))
  installBrowserGlobals(ORIGIN)
  // Each browser has locks of its own, and an older one has none.
  Object.defineProperty(navigator, 'locks', { get: () => current()?.locks })
}

/** Lets `act` happen in `page`, with all that follows from it until only time or the network can go on. */
export async function runIn(page: Page, act: () => unknown): Promise<void> {
  running = page
  try {
    inPages.run({}, act)
    await untilStill()
  } finally {
    running = undefined
  }
}

/** Work of Node's own that a page waits for. */
export async function counting<T>(work: Promise<T>): Promise<T> {
  underWay += 1
  try {
    return await work
  } finally {
    underWay -= 1
  }
}

/** `work` sends a request. Until it does, Node may be loading what sends it. */
export function asking<T>(work: () => Promise<T>): Promise<T> {
  underWay += 1
  return inPages.run({ isSent: false }, () => work().finally(noteSent))
}

function noteSent(): void {
  const asked = inPages.getStore()
  if (asked?.isSent !== false) return
  asked.isSent = true
  underWay -= 1
}

/** Promises take their turns between two of Node's; what still moves after three of them in a row is counted. */
const STILL_TURNS = 3

async function untilStill(): Promise<void> {
  for (let still = 0; still < STILL_TURNS; still = underWay === 0 ? still + 1 : 0)
    await new Promise((turn) => real.setImmediate(turn))
}

function counted(run: (...args: unknown[]) => void) {
  underWay += 1
  return (...args: unknown[]) => {
    underWay -= 1
    run(...args)
  }
}

function setTimer(page: Page, run: () => void, ms: number): number {
  const id = (timer += 1)
  timers.set(
    id,
    page.after(ms, () => {
      timers.delete(id)
      run()
    }),
  )
  return id
}

function clearTimer(id: number): void {
  timers.get(id)?.()
  timers.delete(id)
}

function digestNow(name: AlgorithmIdentifier, data: BufferSource): ArrayBuffer {
  if (name !== 'SHA-256') throw new Error(`no digest ${JSON.stringify(name)} here`)
  const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data
  return new Uint8Array(
    createHash('sha256')
      .update(new Uint8Array(bytes as ArrayBuffer))
      .digest(),
  ).buffer
}

/** What `ask` makes of the tab that runs now. */
export const withPage = <T>(ask: (page: Page) => T): T => {
  const page = current()
  if (!page) throw new Error('no tab runs now')
  return ask(page)
}
