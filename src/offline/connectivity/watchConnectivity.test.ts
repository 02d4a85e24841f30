import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import type { Probed } from '../../domain/connectivity.ts'
import type { connectivity as Connectivity, reportContact as ReportContact } from './connectivity.ts'
import type { watchConnectivity as WatchConnectivity } from './watchConnectivity.ts'

let watchConnectivity: typeof WatchConnectivity
let reportContact: typeof ReportContact
let connectivity: typeof Connectivity
/** When the server was asked, in milliseconds from the beginning. */
let asked: number[]
let answer: Probed
let began: number

beforeEach(async () => {
  vi.useFakeTimers()
  installBrowserGlobals()
  Object.assign(globalThis.navigator, { onLine: true })
  vi.stubGlobal('document', { addEventListener: () => undefined, visibilityState: 'visible' })
  // Each test is a new page, because the watch belongs to the page.
  vi.resetModules()
  ;({ watchConnectivity } = await import('./watchConnectivity.ts'))
  ;({ connectivity, reportContact } = await import('./connectivity.ts'))
  asked = []
  answer = { contact: 'ours' }
  began = Date.now()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const watch = async (random: () => number) => {
  void watchConnectivity(async () => {
    asked.push(Date.now() - began)
    return answer
  }, random)
  await vi.advanceTimersByTimeAsync(0)
}

it('probes again after random and growing waits, so that a whole town does not return in the same second', async () => {
  answer = { contact: 'silent' }
  await watch(() => 0.5)
  await vi.advanceTimersByTimeAsync(61_000)
  // Half of 2, 4, 8, 16, 30 and 30 seconds.
  expect(asked).toEqual([0, 1_000, 3_000, 7_000, 15_000, 30_000, 45_000, 60_000])
})

it('gives a server that is not ready the time that it asks for', async () => {
  answer = { contact: 'fault', retryAfterMs: 10_000 }
  await watch(() => 0.5)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(asked).toEqual([0, 11_000])
})

it('probes a busy server once, when its wait is over, however many calls it put off', async () => {
  await watch(() => 0.5)
  const { returns } = connectivity
  for (let call = 0; call < 20; call += 1) reportContact('busy', 10_000)
  reportContact('late')
  await vi.advanceTimersByTimeAsync(10_900)
  expect(asked).toEqual([0])
  expect(connectivity).toMatchObject({ verdict: 'online', returns })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toEqual([0, 11_000])
  // Lists that failed are now read again.
  expect(connectivity).toMatchObject({ verdict: 'online', returns: returns + 1 })
})

it('probes at once when a call fails with the connection, even while the server is busy', async () => {
  await watch(() => 0.5)
  reportContact('busy', 10_000)
  await vi.advanceTimersByTimeAsync(2_000)
  answer = { contact: 'silent' }
  reportContact('silent')
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual([0, 2_000])
  expect(connectivity.verdict).toBe('unreachable')
})

it('sees no outage when the browser ends the requests of a page that is being left, but sees one if the page stays', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  await watch(() => 0.5)
  page.dispatchEvent(new Event('beforeunload'))
  answer = { contact: 'silent' }
  reportContact('silent')
  await vi.advanceTimersByTimeAsync(3_000)
  expect(asked.length).toBeGreaterThan(1)
  expect(connectivity.verdict).toBe('online')
  // The user may have saved a file instead of leaving the page.
  await vi.advanceTimersByTimeAsync(4_000)
  expect(connectivity.verdict).toBe('unreachable')
})
