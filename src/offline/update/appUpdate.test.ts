import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type * as appUpdateModule from './appUpdate.ts'

type Worker = EventTarget & { state: string; scriptURL: string }

let registration: EventTarget & Record<'installing' | 'waiting' | 'active', Worker | null>
let container: EventTarget & { controller: Worker | null; register: () => Promise<unknown> }
let module: typeof appUpdateModule

beforeEach(async () => {
  registration = Object.assign(new EventTarget(), {
    installing: null,
    waiting: null,
    active: null,
    update: async () => undefined,
  })
  container = Object.assign(new EventTarget(), { controller: null, register: async () => registration })
  vi.stubGlobal('navigator', { serviceWorker: container })
  vi.stubGlobal('location', { href: 'https://portal.example/' })
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('self', globalThis)
  vi.resetModules()
  module = await import('./appUpdate.ts')
})

afterEach(() => void vi.unstubAllGlobals())

const worker = (): Worker =>
  Object.assign(new EventTarget(), { state: 'installing', scriptURL: 'https://portal.example/sw.js' })

/** The browser has fetched `next`, which now waits. */
function installed(next: Worker) {
  registration.installing = next
  registration.dispatchEvent(new Event('updatefound'))
  registration.installing = null
  registration.waiting = next
  next.state = 'installed'
  next.dispatchEvent(new Event('statechange'))
}

it('offers a newer build that waits', async () => {
  const used = Object.assign(worker(), { state: 'activated', postMessage: () => undefined })
  registration.active = used
  container.controller = used
  await module.checkForUpdate()
  installed(worker())
  expect(module.appUpdate.phase).toBe('available')
  expect(await module.checkForUpdate()).toBe('available')
})

it('offers nothing on a first visit, even in WebKit, which names the first worker as the controller while it still waits', async () => {
  await module.checkForUpdate()
  const first = worker()
  container.controller = first
  installed(first)
  expect(module.appUpdate.phase).toBe('none')
  expect(await module.checkForUpdate()).toBe('current')
})
