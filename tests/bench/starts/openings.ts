import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { sql } from 'drizzle-orm'
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright'
import { build as viteBuild } from 'vite'
import { build, buildDirectory } from '../../support/browser/builds.ts'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { startPortalOrigin, type PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { startTestPostgres } from '../../support/database/testDatabase.ts'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** Builds the product and the baseline with this Vite; returns their folders. */
export async function buildBoth(): Promise<{ product: string; baseline: string }> {
  await build('1')
  return { product: buildDirectory('1'), baseline: await buildBaseline() }
}

async function buildBaseline(): Promise<string> {
  const outDir = join(ROOT, 'test-results/bench/baseline')
  const root = join(ROOT, 'tests/bench/baseline')
  await viteBuild({
    configFile: false,
    root,
    plugins: [react()],
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  })
  return outDir
}

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch(chromiumLaunch())
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** Runs `work` with the built portal on its own database. */
export async function withPortal<T>(work: (browser: Browser, origin: PortalOrigin) => Promise<T>): Promise<T> {
  await build('1')
  const postgres = await startTestPostgres('shipped')
  process.env['TEST_DATABASE_URL'] = postgres.url
  const origin = await startPortalOrigin()
  try {
    return await withBrowser((browser) => work(browser, origin))
  } finally {
    await origin.close()
    await postgres.stop()
  }
}

/** Number of vouchers of a merchant of the portal. */
const VOUCHERS = 1_200

/** Makes a merchant with vouchers. The last digit of a serial may be wrong, because no test scans it. */
export async function merchantWithVouchers({ database: { db } }: PortalOrigin) {
  const { main, organisation, branch } = await makeMerchant(db)
  await db.execute(sql`
    INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, organisation_id, branch_id)
    SELECT gen_random_uuid(), '29' || lpad(n::text, 11, '0'), 500, '2027-12-31', 'Used', now(), ${organisation.id}, ${branch.id}
    FROM generate_series(1, ${sql.raw(String(VOUCHERS))}) n`)
  return main
}

/** Slows the processor of the page down by `rate`, as long as the session lasts. */
async function slowDown(page: Page, rate = 4): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
  return devtools
}

/** Selectors of the elements to wait for, by name. */
type Marks<M extends string> = Readonly<Record<M, string>>

/** Matches a submit button that can be pressed; the drawn one can too, and keeps the press for the app. */
const READY = 'button[type=submit]:not([disabled])'
export const LOGIN_MARKS = { ready: READY, app: `${READY}:not(#first *)` }

/** Opens a page and waits until each mark has been shown; `at` gives the time, in milliseconds since `origin`. */
export async function openNoted<M extends string>(context: BrowserContext, url: string, marks: Marks<M>, slowdown = 1) {
  const page = await context.newPage()
  await slowDown(page, slowdown)
  await page.addInitScript(noteWhenShown(marks))
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.documentElement.dataset['noted'])
  const { noted, origin } = await page.evaluate(() => ({
    noted: { ...document.documentElement.dataset },
    origin: performance.timeOrigin,
  }))
  return { page, origin, at: (mark: M) => Number(noted[mark]) }
}

/**
 * Runs in the page: notes the first frame in which each mark is shown. Polling from outside would be late, and would count
 * requests of the idle page. It is a text, because the TypeScript runner marks functions with a helper that the page does not have.
 */
const noteWhenShown = (marks: Marks<string>) => `
  const marks = Object.entries(${JSON.stringify(marks)})
  const isShown = (selector) => [...document.querySelectorAll(selector)].some((one) => one.getClientRects().length > 0)
  const look = () => {
    const notes = document.documentElement.dataset
    for (const [name, selector] of marks) if (isShown(selector)) notes[name] ??= String(performance.now())
    if (marks.every(([name]) => name in notes)) notes.noted = 'all'
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`
