import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import type { DeviceReport } from '../../contract/devices/deviceReports.ts'
import type { connectivity as Connectivity } from '../connectivity/connectivity.ts'

const CASHIER = '0190c3b0-0000-7000-8000-000000000003'

let cashier: string | undefined
let isTill: boolean
let connectivity: typeof Connectivity

beforeEach(() => {
  installBrowserGlobals()
  // Each test is a new page.
  vi.resetModules()
  cashier = CASHIER
  isTill = true
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function start() {
  vi.spyOn(globalThis, 'setInterval').mockReturnValue(0 as never)
  ;({ connectivity } = await import('../connectivity/connectivity.ts'))
  const { startDeviceReports } = await import('./deviceReports.ts')
  return startDeviceReports({
    isTill: () => isTill,
    cashier: () => cashier,
    hasRemovedData: () => false,
  })
}

/** The report that the server would read, once there is one. */
async function taken(reports: Awaited<ReturnType<typeof start>>): Promise<DeviceReport> {
  return JSON.parse(await vi.waitUntil(() => reports.take(), { timeout: 5_000 })) as DeviceReport
}

it('a report is sent with each call until the server has answered', async () => {
  const reports = await start()
  expect(await taken(reports)).toMatchObject({ user: CASHIER, waiting: { count: 0 } })
  expect(reports.take()).toBe(reports.take())
  connectivity.lastContactAt = Date.now()
  await vi.waitUntil(() => reports.take() === undefined)
  reports.prepareAgain()
  expect(await taken(reports)).toMatchObject({ user: CASHIER })
})

it('a report from before a sleep is not sent, because its time would be taken for the clock of the device', async () => {
  const reports = await start()
  const { at } = await taken(reports)
  const slept = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockReturnValue(slept)
  expect(reports.take()).toBeUndefined()
  expect(Date.parse((await taken(reports)).at)).toBeGreaterThan(Date.parse(at) - 1)
})

it('a till also reports when no user is logged in, and a device that is no till never reports', async () => {
  cashier = undefined
  expect(await taken(await start())).toMatchObject({ user: null })
  vi.resetModules()
  isTill = false
  const reports = await start()
  reports.prepareAgain()
  await new Promise((resolve) => setTimeout(resolve))
  expect(reports.take()).toBeUndefined()
})
