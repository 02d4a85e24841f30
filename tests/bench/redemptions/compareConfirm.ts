import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium, type Page } from 'playwright'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { signInByHand } from '../../support/accounts/signIn.ts'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { makePosUser, makeVoucher, type User } from '../../support/database/builders.ts'
import { faultProxy, type FaultProxy } from '../../support/faults/faultProxy.ts'
import { median } from '../../support/server/responseTimes.ts'
import { startServer } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import type { Comparison } from '../comparison.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const LINES_MS = [50, 400]
const VOUCHERS = 7
const BYTES = 3_584

interface Taken {
  /** Milliseconds from the tap to the frame with the verdict. */
  confirm: number
  /** On the line for it. */
  bytes: number
  /** The same of the check before. */
  checkBytes: number
}

/**
 * From the tap on "Redeem" to the painted verdict in the browser, over a connection with a round trip of 50 and of 400 ms, and what goes
 * over the connection for it: the built portal and the server as an operator starts it.
 */
export async function compareConfirm(): Promise<Comparison[]> {
  const built = spawnSync('npm', ['run', 'build', '--', '--logLevel', 'warn'], { cwd: ROOT, encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`)
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const { cashier, serials } = await furnish(dataDir)
  let port = 0
  const proxy = await faultProxy(() => port)
  const url = `http://127.0.0.1:${proxy.port}`
  const server = await startServer({ DATA_DIR: dataDir, DEMO: 'off', MFA: 'optional', PUBLIC_URL: url })
  port = server.port
  const browser = await chromium.launch(chromiumLaunch())
  try {
    const page = await (await browser.newContext({ baseURL: url })).newPage()
    await signInByHand(page, cashier)
    await page.evaluate('navigator.serviceWorker.ready')
    const results: Comparison[] = []
    for (const line of LINES_MS) results.push(...(await over(line, page, proxy, serials.splice(0, VOUCHERS))))
    return [...results, ...(await ofTheTill(page, serials))]
  } finally {
    await browser.close()
    await server.stop()
    await proxy.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function furnish(dataDir: string): Promise<{ cashier: User; serials: string[] }> {
  const database = await openEmbedded(dataDir, silentLog, { by: 'server' })
  const cashier = await makePosUser(database.db)
  const serials: string[] = []
  while (serials.length < VOUCHERS * (LINES_MS.length + 1)) serials.push((await makeVoucher(database.db)).serial)
  await database.close()
  return { cashier, serials }
}

async function over(line: number, page: Page, proxy: FaultProxy, serials: string[]): Promise<Comparison[]> {
  proxy.delay(line)
  const taken: Taken[] = []
  for (const serial of serials) taken.push(await take(page, proxy, serial))
  const middle = (of: keyof Taken) => median(taken.map((one) => one[of]))
  const bytes = { baseline: BYTES, unit: 'bytes', against: 'the goal of 3.5 KB' }
  return [
    {
      what: `confirm to verdict on a line of ${line} ms`,
      product: middle('confirm'),
      baseline: line,
      unit: 'ms',
      against: 'one round trip',
    },
    { what: `a redemption on the wire, ${line} ms`, product: middle('bytes'), goal: '≤ 1.00', ...bytes },
    { what: `its check before on the wire, ${line} ms`, product: middle('checkBytes'), ...bytes },
  ]
}

/**
 * On a tablet a quarter as fast: what the till itself adds to its calls, from a whole serial to the painted question, and from the tap to
 * the painted verdict.
 */
async function ofTheTill(page: Page, serials: string[]): Promise<Comparison[]> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const [checks, confirms]: [number[], number[]] = [[], []]
  for (const serial of serials) {
    await typeSerial(page, serial)
    checks.push(await page.evaluate<number>(beyondCall('Check voucher', 'Redeem $', '/verify')))
    confirms.push(await page.evaluate<number>(beyondCall('Redeem $', 'Next voucher', '/redeem')))
    await page.getByRole('button', { name: 'Next voucher' }).click()
  }
  const row = (what: string, product: number[], goal?: string): Comparison => ({
    what: `${what} at 4x CPU, beyond its call`,
    product: median(product),
    baseline: FRAME_AND_PAINT_MS,
    unit: 'ms',
    against: 'a frame and a paint',
    ...(goal ? { goal } : {}),
  })
  return [row('check to question', checks, '≤ 1.00'), row('tap to "Redeemed"', confirms)]
}

const FRAME_AND_PAINT_MS = 33

const typeSerial = async (page: Page, serial: string) => {
  await page.getByLabel('Or type the serial number').fill(serial)
  await page.getByRole('button', { name: 'Check voucher' }).waitFor()
}

async function take(page: Page, proxy: FaultProxy, serial: string): Promise<Taken> {
  const before = proxy.bytes()
  await typeSerial(page, serial)
  await page.getByRole('button', { name: 'Check voucher' }).click()
  await page.getByRole('button', { name: /^Redeem \$/ }).waitFor()
  const checked = proxy.bytes()
  const confirm = await page.evaluate<number>(CONFIRM)
  const done = proxy.bytes()
  await page.getByRole('button', { name: 'Next voucher' }).click()
  return { confirm, bytes: done - checked, checkBytes: checked - before }
}

/**
 * Runs in the page: presses one button, and answers after how many milliseconds `isThere` had been painted. A text, since the TypeScript
 * runner marks functions with a helper that the page does not have.
 */
const pressUntil = (button: string, isThere: string) => `new Promise((resolve) => {
  const startedAt = performance.now()
  const buttons = () => [...document.querySelectorAll('button')]
  const look = () => {
    if (${isThere}) {
      observer.disconnect()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - startedAt)
        port2.postMessage(0)
      })
    }
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  buttons().find(({ textContent }) => textContent.startsWith('${button}')).click()
})`

const CONFIRM = pressUntil(
  'Redeem $',
  "[...document.querySelectorAll('h1')].some(({ textContent }) => textContent === 'Redeemed')",
)

/** The same without the time from when the call leaves the page until its last byte is there. */
const beyondCall = (button: string, next: string, path: string) => `(async () => {
  performance.clearResourceTimings()
  const all = await ${pressUntil(button, `buttons().some(({ textContent }) => textContent.startsWith('${next}'))`)}
  const call = performance.getEntriesByType('resource').findLast(({ name }) => name.endsWith('${path}'))
  return all - (call.responseEnd - call.fetchStart)
})()`
