import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext } from 'playwright'
import { logInByHand } from '../../support/accounts/logIn.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makePosUser, type User } from '../../support/database/builders.ts'
import { median } from '../../support/server/responseTimes.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { repeated, waitForQuietMachine } from '../measure.ts'
import { merchantWithVouchers, openNoted, withPortal } from './openings.ts'

/** After this time the worker has its files and the data of a first visit is stored. */
const SETTLED_MS = 4_000

interface Screen {
  name: string
  path: string
  user?: User
  /** Selectors that show that the screen is usable, and that its data is there. */
  usable: string
  data: string
}

/** Milliseconds from the navigation. */
interface Start {
  usable: number
  data: number
}

/** Measures how everyday screens start on a processor a quarter as fast, with a connection and without, compared with the login. */
export const compareLoggedInStarts = ({ runs }: Bench): Promise<Comparison[]> =>
  withPortal(async (browser, origin) => {
    const button = 'button[type=submit]'
    const login = { name: 'login', path: '/login', usable: button, data: button }
    const logins = await startsOf(browser, origin, login, runs)
    const results: Comparison[] = []
    for (const screen of await screens(origin)) {
      const starts = await startsOf(browser, origin, screen, runs)
      for (const way of ['warm', 'offline'] as const) {
        const against = `the ${way} login, the app itself`
        const beside = { baseline: median(logins[way].map((one) => one.usable)), unit: 'ms', against }
        const middle = (what: keyof Start) => median(starts[way].map((one) => one[what]))
        const named = `${way} start of the ${screen.name} at 4x CPU`
        results.push(row(`${named}, usable`, middle('usable'), beside, '≤ 1.50'))
        results.push(row(`${named}, its data on the screen`, middle('data'), beside, '≤ 2.00'))
      }
    }
    return results
  })

async function screens(origin: PortalOrigin): Promise<Screen[]> {
  const main = await merchantWithVouchers(origin)
  const cashier = await makePosUser(origin.database.db)
  const serial = 'input[inputmode]'
  return [
    { name: 'dashboard', path: '/', user: main, usable: 'main h1', data: 'main a[href*="used"]' },
    { name: 'voucher table', path: '/vouchers', user: main, usable: 'main thead', data: 'main tbody tr td a' },
    { name: 'counter', path: '/redeem', user: cashier, usable: serial, data: serial },
  ]
}

/** Starts the screen in a browser that was there before, with the worker's files and the screen's data stored. */
async function startsOf(browser: Browser, { url }: PortalOrigin, screen: Screen, runs: number) {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  if (screen.user) await logInByHand(page, screen.user)
  await page.goto(screen.path)
  await page.locator(screen.data).first().waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await sleep(SETTLED_MS)
  await page.close()
  const warm = await repeated(runs, () => startOf(context, screen))
  await context.setOffline(true)
  const offline = await repeated(runs, () => startOf(context, screen))
  await context.close()
  return { warm, offline }
}

async function startOf(context: BrowserContext, { path, usable, data }: Screen): Promise<Start> {
  await waitForQuietMachine()
  // Matches the app's own elements, not those drawn before it.
  const own = (selector: string) => `${selector}:not(#first *)`
  const { page, at } = await openNoted(context, path, { usable: own(usable), data: own(data) }, 4)
  await page.close()
  return { usable: at('usable'), data: at('data') }
}
