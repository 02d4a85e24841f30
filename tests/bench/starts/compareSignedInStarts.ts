import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { chromium, type Browser, type BrowserContext } from 'playwright'
import { signInByHand } from '../../support/accounts/signIn.ts'
import { build } from '../../support/browser/builds.ts'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { startPortalOrigin, type PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makePosUser, type User } from '../../support/database/builders.ts'
import { startTestPostgres } from '../../support/database/testDatabase.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

const VOUCHERS = 1_200
/** Until the worker has its files and what a first visit reads is kept. */
const SETTLED_MS = 4_000

interface Screen {
  name: string
  path: string
  user: User | undefined
  /** When it can be used, and when what people come for is there: the app's own, nothing drawn before it. */
  usable: string
  data: string
}

/** Milliseconds from the navigation. */
interface Start {
  usable: number
  data: number
}

const WAYS = ['warm', 'offline'] as const

/** How the screens of everyday start on a processor a quarter as fast, with a connection and without, beside the login there. */
export async function compareSignedInStarts({ runs }: Bench): Promise<Comparison[]> {
  await build('1')
  const postgres = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = postgres.url
  const browser = await chromium.launch(chromiumLaunch())
  const origin = await startPortalOrigin()
  try {
    const all = await screens(origin)
    const measured = new Map<string, Start[]>()
    for (const screen of all) {
      const context = await visited(browser, origin, screen)
      for (const way of WAYS) {
        await context.setOffline(way === 'offline')
        const starts: Start[] = []
        for (let run = 0; run < runs; run += 1) starts.push(await startOf(context, screen))
        measured.set(`${way} ${screen.name}`, starts)
      }
      await context.close()
    }
    return rowsOf(all, measured)
  } finally {
    await browser.close()
    await origin.close()
    await postgres.stop()
  }
}

const LOGIN = 'login'

async function screens({ database: { db } }: PortalOrigin): Promise<Screen[]> {
  const { main, organisation, branch } = await makeMerchant(db)
  const cashier = await makePosUser(db)
  // The last digit of a serial need not be right where nobody scans.
  await db.execute(sql`
    INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
    SELECT gen_random_uuid(), '29' || lpad(n::text, 11, '0'), 500, '2027-12-31', 'Used', now(), ${organisation.id}, ${branch.id}
    FROM generate_series(1, ${sql.raw(String(VOUCHERS))}) n`)
  const serial = 'input[inputmode]'
  return [
    { name: LOGIN, path: '/login', user: undefined, usable: 'button[type=submit]', data: 'button[type=submit]' },
    { name: 'dashboard', path: '/', user: main, usable: 'main h1', data: 'main a[href*="used"]' },
    { name: 'voucher table', path: '/vouchers', user: main, usable: 'main thead', data: 'main tbody tr td a' },
    { name: 'counter', path: '/redeem', user: cashier, usable: serial, data: serial },
  ]
}

/** A browser that has been there, with the worker's files and what the screen reads. */
async function visited(browser: Browser, origin: PortalOrigin, { path, user, data }: Screen): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin.url, viewport: { width: 1_280, height: 800 } })
  const page = await context.newPage()
  if (user) await signInByHand(page, user)
  await page.goto(path)
  await page.locator(data).first().waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await sleep(SETTLED_MS)
  await page.close()
  return context
}

async function startOf(context: BrowserContext, screen: Screen): Promise<Start> {
  await waitForQuietMachine()
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(noteWhenThere(screen))
  await page.goto(screen.path, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset['dataAt'])
  const { usable, data } = await page.evaluate<Start>(
    '({ usable: +document.documentElement.dataset.usableAt, data: +document.documentElement.dataset.dataAt })',
  )
  await page.close()
  return { usable, data }
}

/** Runs in the page; a text, as the others are (loginJavaScript.ts). */
const noteWhenThere = ({ usable, data }: Screen) => `
  const isThere = (selector) =>
    [...document.querySelectorAll(selector)].some((one) => !one.closest('#first') && one.getClientRects().length > 0)
  const look = () => {
    const noted = document.documentElement.dataset
    if (isThere(${JSON.stringify(usable)})) noted.usableAt ??= String(performance.now())
    if (isThere(${JSON.stringify(data)})) noted.dataAt = String(performance.now())
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

function rowsOf(all: Screen[], measured: Map<string, Start[]>): Comparison[] {
  const middle = (way: string, name: string, what: keyof Start) =>
    median(measured.get(`${way} ${name}`)!.map((one) => one[what]))
  const row = (way: string, name: string, what: keyof Start, goal: string): Comparison => ({
    what: `${way} start of the ${name} at 4x CPU, ${what === 'data' ? 'its data on the screen' : 'usable'}`,
    product: middle(way, name, what),
    baseline: middle(way, LOGIN, 'usable'),
    unit: 'ms',
    against: `the ${way} login, the app itself`,
    goal,
  })
  const others = all.filter(({ name }) => name !== LOGIN)
  return WAYS.flatMap((way) =>
    others.flatMap(({ name }) => [row(way, name, 'usable', '≤ 1.50'), row(way, name, 'data', '≤ 2.00')]),
  )
}
