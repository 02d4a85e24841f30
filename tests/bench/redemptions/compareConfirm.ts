import { join } from 'node:path'
import type { Page } from 'playwright'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { signInByHand } from '../../support/accounts/signIn.ts'
import { build } from '../../support/browser/builds.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { row, type Comparison } from '../comparison.ts'
import { withServer, type BenchDatabase } from '../load/benchDatabase.ts'
import { PAINTED, ROOT, slowDown, withBrowser } from '../starts/openings.ts'

const LINES_MS = [50, 400]
const VOUCHERS = 7
const MOST_BYTES = { baseline: 3_584, unit: 'bytes', against: 'the goal of 3.5 KB' }
const FRAME_AND_PAINT = { baseline: 33, unit: 'ms', against: 'a frame and a paint' }

/**
 * From the tap on "Redeem" to the painted verdict in the browser, over a connection with a round trip of 50 and of 400 ms, and what goes
 * over the connection for it: the built portal and the server as an operator starts it.
 */
export async function compareConfirm(): Promise<Comparison[]> {
  await build('1', join(ROOT, 'dist'))
  let port = 0
  const proxy = await faultProxy(() => port)
  const PUBLIC_URL = `http://127.0.0.1:${proxy.port}`
  const measure = async (server: ServerProcess, { url }: BenchDatabase) => {
    port = server.port
    const { cashier, serials } = await furnish(url)
    return withBrowser(async (browser) => {
      const page = await browser.newPage({ baseURL: PUBLIC_URL })
      await signInByHand(page, cashier)
      await page.evaluate('navigator.serviceWorker.ready')
      const results: Comparison[] = []
      for (const line of LINES_MS) results.push(...(await over(line, page, proxy, serials.splice(0, VOUCHERS))))
      return [...results, ...(await ofTheTill(page, serials))]
    })
  }
  try {
    return await withServer([], measure, { MFA: 'optional', PUBLIC_URL })
  } finally {
    await proxy.close()
  }
}

async function furnish(url: string) {
  const database = await openPostgresql(url, silentLog)
  const cashier = await makePosUser(database.db)
  const serials: string[] = []
  while (serials.length < VOUCHERS * (LINES_MS.length + 1)) serials.push((await makeVoucher(database.db)).serial)
  await database.close()
  return { cashier, serials }
}

async function over(line: number, page: Page, proxy: FaultProxy, serials: string[]): Promise<Comparison[]> {
  proxy.delay(line)
  const [confirms, bytes, checkBytes]: [number[], number[], number[]] = [[], [], []]
  for (const serial of serials) {
    const before = proxy.bytes
    await typeSerial(page, serial)
    await page.getByRole('button', { name: 'Check voucher' }).click()
    await page.getByRole('button', { name: /^Redeem \$/ }).waitFor()
    const checked = proxy.bytes
    confirms.push(await page.evaluate<number>(pressUntil('Redeem $', isHeading('Redeemed'))))
    bytes.push(proxy.bytes - checked)
    checkBytes.push(checked - before)
    await page.getByRole('button', { name: 'Next customer' }).click()
  }
  const roundTrip = { baseline: line, unit: 'ms', against: 'one round trip' }
  return [
    row(`confirm to verdict on a line of ${line} ms`, median(confirms), roundTrip),
    row(`a redemption on the wire, ${line} ms`, median(bytes), MOST_BYTES, '≤ 1.00'),
    row(`its check before on the wire, ${line} ms`, median(checkBytes), MOST_BYTES),
  ]
}

/**
 * On a tablet a quarter as fast: what the till itself adds to its calls, from a whole serial to the painted act, and from the tap to
 * the painted verdict.
 */
async function ofTheTill(page: Page, serials: string[]): Promise<Comparison[]> {
  await slowDown(page)
  const [checks, confirms]: [number[], number[]] = [[], []]
  for (const serial of serials) {
    await typeSerial(page, serial)
    checks.push(await page.evaluate<number>(beyondCall('Check voucher', 'Redeem $', '/verify')))
    confirms.push(await page.evaluate<number>(beyondCall('Redeem $', 'Next customer', '/till/sync')))
    await page.getByRole('button', { name: 'Next customer' }).click()
  }
  return [
    row('check to act at 4x CPU, beyond its call', median(checks), FRAME_AND_PAINT, '≤ 1.00'),
    row('tap to "Redeemed" at 4x CPU, beyond its call', median(confirms), FRAME_AND_PAINT),
  ]
}

async function typeSerial(page: Page, serial: string): Promise<void> {
  await page.getByLabel('Or type the serial number').fill(serial)
  await page.getByRole('button', { name: 'Check voucher' }).waitFor()
}

/** Runs in the page: presses one button, and answers after how many milliseconds `isThere` had been painted. */
const pressUntil = (button: string, isThere: string) => `new Promise((resolve) => {
  ${PAINTED}
  const startedAt = performance.now()
  const buttons = () => [...document.querySelectorAll('button')]
  const observer = new MutationObserver(() => {
    if (!(${isThere})) return
    observer.disconnect()
    painted((at) => resolve(at - startedAt))
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  buttons().find(({ textContent }) => textContent.startsWith('${button}')).click()
})`

const isHeading = (text: string) =>
  `[...document.querySelectorAll('h1')].some(({ textContent }) => textContent === '${text}')`

/** The same without the time from when the call leaves the page until its last byte is there. */
const beyondCall = (button: string, next: string, path: string) => `(async () => {
  performance.clearResourceTimings()
  const all = await ${pressUntil(button, `buttons().some(({ textContent }) => textContent.startsWith('${next}'))`)}
  const call = performance.getEntriesByType('resource').findLast(({ name }) => name.endsWith('${path}'))
  return all - (call.responseEnd - call.fetchStart)
})()`
