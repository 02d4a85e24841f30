import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright'
import { makeMerchant } from '../support/builders.ts'
import { build } from '../support/builds.ts'
import { CHROMIUM_ARGS, findChromium } from '../support/chromium.ts'
import { median } from '../support/median.ts'
import { signIn } from '../support/person.ts'
import { startPortalOrigin } from '../support/portalOrigin.ts'
import type { Comparison } from './comparison.ts'
import { keystrokes, type Keystrokes } from './keystrokes.ts'
import { buildBaseline, serve } from './loginJavaScript.ts'
import { quietMachine } from './quietMachine.ts'

const FRAME_MS = 1_000 / 60
const OF_EACH = 5_000
/** First letters, names, a wrong letter, a name with a number, something that is not there: 10 to 5,000 of them match. */
const TYPED = ['tk', 'kalang wave', 'jurong', 'cashier 4321', 'e', 'brach 12', 'zqxv']

/** A key of the palette over 10,000 names in the browser, slowed four times, beside a key in a bare field of the same stack. */
export async function comparePalette(): Promise<Comparison[]> {
  build('1')
  const baseline = buildBaseline()
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS })
  try {
    const ours = await ofProduct(browser)
    const bare = await ofBaseline(browser, baseline)
    const inFrames = (what: string, product: number, goal?: string): Comparison => ({
      what: `palette of ${2 * OF_EACH} names at 4x CPU, ${what}`,
      product,
      baseline: FRAME_MS,
      unit: 'ms',
      against: 'one frame of 60 a second',
      ...(goal ? { goal } : {}),
    })
    return [
      inFrames(`key to painted, median of ${ours.times.length}`, median(ours.times), '≤ 1.00'),
      inFrames('key to painted, worst', Math.max(...ours.times), '≤ 1.00'),
      inFrames('key to painted in a bare field, median', median(bare.times)),
      inFrames('key to painted in a bare field, worst', Math.max(...bare.times)),
      inFrames('work of the main thread for a key', ours.work, '≤ 1.00'),
      inFrames('work of the main thread for a key in a bare field', bare.work),
    ]
  } finally {
    await browser.close()
  }
}

async function ofProduct(browser: Browser): Promise<Keystrokes> {
  const origin = await startPortalOrigin()
  // Without the worker, so that the long lists can stand in the place of the server's.
  const context = await browser.newContext({ baseURL: origin.url, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    await answerLongLists(page)
    const { main } = await makeMerchant(origin.database.db)
    await signIn(page, main, '/dashboard')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('branch 4999')
    await page.getByRole('option').first().waitFor()
    await page.getByRole('combobox').fill('')
    await quietMachine()
    return await keystrokes(page, TYPED)
  } finally {
    await context.close()
    await origin.close()
  }
}

async function answerLongLists(page: Page) {
  const places = ['Toa Payoh Kiosk', 'Kallang Wave', 'Jurong East', 'Tampines Central', 'Bukit Batok', 'Ang Mo Kio Hub']
  const branches = Array.from({ length: OF_EACH }, (_, n) => ({
    guid: randomUUID(),
    name: `${places[n % places.length]} branch ${n}`,
  }))
  const tills = branches.map(({ guid, name }, n) => ({
    guid: randomUUID(),
    name: `cashier-${n}`,
    branch_guid: guid,
    branch_name: name,
  }))
  await page.route('**/api/filter/transaction/branch_list', (route) => route.fulfill({ json: { data: branches } }))
  await page.route('**/api/pos/list', (route) => route.fulfill({ json: { data: tills } }))
}

async function ofBaseline(browser: Browser, directory: string): Promise<Keystrokes> {
  const server = serve(directory)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/login`)
    await page.locator('#email').focus()
    await quietMachine()
    return await keystrokes(page, TYPED)
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}
