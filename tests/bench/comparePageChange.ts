import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { type Browser, chromium } from 'playwright'
import { makeMerchant } from '../support/builders.ts'
import { build } from '../support/builds.ts'
import { CHROMIUM_ARGS, findChromium } from '../support/chromium.ts'
import { signIn } from '../support/person.ts'
import { type PortalOrigin, startPortalOrigin } from '../support/portalOrigin.ts'
import type { Comparison } from './comparison.ts'
import { buildBaseline, serve } from './loginJavaScript.ts'
import { type PageChange, pageChanges } from './pageChange.ts'
import { quietMachine } from './quietMachine.ts'

const FRAME_MS = 1_000 / 60
const CHANGES = 21
const VOUCHERS = 400

/** The next page of the voucher table in the browser, slowed four times: in frames, and beside a bare table of the same stack. */
export async function comparePageChange(): Promise<Comparison[]> {
  build('1')
  const baseline = buildBaseline()
  const executablePath = findChromium()
  const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: CHROMIUM_ARGS })
  try {
    const ours = await ofProduct(browser)
    const bare = await ofBaseline(browser, baseline)
    const inFrames = (what: string, product: number, goal?: string): Comparison => ({
      what: `page change at 4x CPU, ${what}`,
      product,
      baseline: FRAME_MS,
      unit: 'ms',
      against: 'one frame of 60 a second',
      ...(goal ? { goal } : {}),
    })
    return [
      inFrames('press to next frame', ours.press, '≤ 1.00'),
      inFrames('answer to its rows on the screen', ours.rows, '≤ 1.00'),
      inFrames('press to rows, of a bare table', bare.rows),
      {
        what: 'page change at 4x CPU, work of the main thread',
        product: ours.work,
        baseline: bare.work,
        unit: 'ms',
        against: 'a bare React table of ten rows',
      },
    ]
  } finally {
    await browser.close()
  }
}

async function ofProduct(browser: Browser): Promise<PageChange> {
  const origin = await startPortalOrigin()
  const context = await browser.newContext({ baseURL: origin.url })
  try {
    const page = await context.newPage()
    await signIn(page, await merchantWithVouchers(origin), '/vouchers')
    await page.getByText(`1–10 of ${VOUCHERS}`).first().waitFor()
    await page.evaluate('navigator.serviceWorker.ready')
    await quietMachine()
    return await pageChanges(page, CHANGES)
  } finally {
    await context.close()
    await origin.close()
  }
}

async function ofBaseline(browser: Browser, directory: string): Promise<PageChange> {
  const server = serve(directory)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/vouchers`)
    await page.locator('tbody tr').first().waitFor()
    await quietMachine()
    return await pageChanges(page, CHANGES)
  } finally {
    await context.close()
    server.closeAllConnections()
    server.close()
  }
}

/** The last digit of a serial need not be right where nobody scans. */
async function merchantWithVouchers({ database: { db } }: PortalOrigin) {
  const { main, organisation, branch } = await makeMerchant(db)
  await db.execute(sql`
    INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
    SELECT gen_random_uuid(), '29' || lpad(n::text, 11, '0'), 500, '2027-12-31', 'Used', now(), ${organisation.id}, ${branch.id}
    FROM generate_series(1, ${sql.raw(String(VOUCHERS))}) n`)
  return main
}
