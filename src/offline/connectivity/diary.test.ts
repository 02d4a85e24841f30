import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ConnectivityVerdict } from '../../domain/connectivity.ts'
import type { VerdictSpan } from '../../domain/devices/connectionDiary.ts'

const MINUTE = 60_000

let page: EventTarget & { visibilityState: DocumentVisibilityState }
let change: (verdict: ConnectivityVerdict) => Promise<void>
/** Of each span: its verdict, and its seconds. */
let noted: [ConnectivityVerdict, number][]
/** What the clock on the wall is ahead by. */
let ahead: number

beforeEach(async () => {
  vi.useFakeTimers()
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  vi.stubGlobal('document', page)
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  // The diary is the page's: each test is a page of its own.
  vi.resetModules()
  const { connectivity } = await import('./connectivity.ts')
  const { keepDiary } = await import('./diary.ts')
  change = async (verdict) => {
    connectivity.verdict = verdict
    await vi.advanceTimersByTimeAsync(0)
  }
  noted = []
  ahead = 0
  const note = ({ from, to, verdict }: VerdictSpan) => void noted.push([verdict, Math.round((to - from) / 1000)])
  keepDiary({ now: () => Date.now() + ahead, note })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const happens = (event: string, visibilityState = page.visibilityState) => {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event(event))
}
const secondsOf = (verdict: ConnectivityVerdict) =>
  noted.filter(([which]) => which === verdict).reduce((sum, [, seconds]) => sum + seconds, 0)

it('notes each verdict for as long as it held', async () => {
  await vi.advanceTimersByTimeAsync(2 * MINUTE + 10_000)
  await change('offline')
  await vi.advanceTimersByTimeAsync(45_000)
  await change('online')
  await vi.advanceTimersByTimeAsync(MINUTE)
  happens('pagehide')
  expect(secondsOf('offline')).toBe(45)
  expect(secondsOf('online')).toBe(190)
})

it('notes what is left when the page is left, and nothing until it is back', async () => {
  await vi.advanceTimersByTimeAsync(12_000)
  happens('pagehide')
  expect(noted).toEqual([['online', 12]])
  await vi.advanceTimersByTimeAsync(15_000)
  happens('pageshow')
  expect(noted).toEqual([['online', 12]])
})

it('knows nothing of an hour that the device slept', async () => {
  await vi.advanceTimersByTimeAsync(30_000)
  vi.setSystemTime(Date.now() + 60 * MINUTE)
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(secondsOf('online')).toBe(60)
})

it('goes on after the clock was set', async () => {
  await vi.advanceTimersByTimeAsync(30_000)
  ahead = -90 * MINUTE
  await vi.advanceTimersByTimeAsync(MINUTE)
  expect(noted).toEqual([
    ['online', 30],
    ['online', 30],
  ])
})

it('of a page that nobody sees notes an outage, which it asks about, but not that all was well', async () => {
  await vi.advanceTimersByTimeAsync(10_000)
  happens('visibilitychange', 'hidden')
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  await change('unreachable')
  await vi.advanceTimersByTimeAsync(2 * MINUTE)
  await change('online')
  await vi.advanceTimersByTimeAsync(10 * MINUTE)
  happens('visibilitychange', 'visible')
  await vi.advanceTimersByTimeAsync(MINUTE)
  happens('visibilitychange', 'hidden')
  expect(secondsOf('unreachable')).toBe(120)
  expect(secondsOf('online')).toBe(70)
})
