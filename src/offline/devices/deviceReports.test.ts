import { compactVerify, importJWK } from 'jose'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { installBrowserGlobals } from '../../../tests/support/browser/browserGlobals.ts'
import type { DeviceReport, PublicKey } from '../../contract/devices/deviceReports.ts'
import type { connectivity as Connectivity } from '../connectivity/connectivity.ts'
import type { ReportPorts } from './deviceReports.ts'

const TILL = '0190c3b0-0000-7000-8000-000000000001'
const BRANCH = '0190c3b0-0000-7000-8000-000000000002'
const CASHIER = '0190c3b0-0000-7000-8000-000000000003'

let cashier: ReturnType<ReportPorts['cashier']>
/** What the server was told: once, for the key outlives the page. */
const known: PublicKey[] = []
let connectivity: typeof Connectivity

beforeEach(() => {
  installBrowserGlobals()
  // A page of its own for each test; the key is the device's.
  vi.resetModules()
  cashier = { guid: CASHIER, branch: BRANCH }
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
    till: () => TILL,
    cashier: () => cashier,
    facts: () => ({ connection: [], check: null }),
    register: async (_, key) => void known.push(key),
  })
}

/** What the server would read, once there is something. */
async function taken(reports: Awaited<ReturnType<typeof start>>): Promise<DeviceReport> {
  const jws = await vi.waitUntil(() => reports.take(), { timeout: 5_000 })
  const { payload } = await compactVerify(jws, await importJWK(known.at(-1)!, 'ES256'))
  return JSON.parse(new TextDecoder().decode(payload)) as DeviceReport
}

it('is signed by the key that the server was told, and leaves with each call until the server has answered', async () => {
  const reports = await start()
  expect(await taken(reports)).toMatchObject({ till: TILL, branch: BRANCH, user: CASHIER, waiting: { count: 0 } })
  expect(reports.take()).toBe(reports.take())
  connectivity.lastContactAt = Date.now()
  await vi.waitUntil(() => reports.take() === undefined)
  reports.changed()
  expect(await taken(reports)).toMatchObject({ till: TILL })
})

it('of before a sleep is not sent: its time would be taken for the clock of the device', async () => {
  const reports = await start()
  const { at } = await taken(reports)
  const slept = Date.now() + 3_600_000
  vi.spyOn(Date, 'now').mockReturnValue(slept)
  expect(reports.take()).toBeUndefined()
  expect(Date.parse((await taken(reports)).at)).toBeGreaterThan(Date.parse(at) - 1)
})

it('also comes with nobody logged in, for the branch where the device worked last, and with the same key', async () => {
  await taken(await start())
  vi.resetModules()
  cashier = undefined
  expect(await taken(await start())).toMatchObject({ branch: BRANCH, user: null })
  expect(known).toHaveLength(1)
})
