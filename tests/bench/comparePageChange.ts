import { sql } from 'drizzle-orm'
import type { Page } from 'playwright'
import { makeMerchant } from '../support/builders.ts'
import { signIn } from '../support/person.ts'
import type { PortalOrigin } from '../support/portalOrigin.ts'
import { besideBareStack, inFrames } from './besideBareStack.ts'
import type { Comparison } from './comparison.ts'
import { type PageChange, pageChanges } from './pageChange.ts'
import { quietMachine } from './quietMachine.ts'

const CHANGES = 21
const VOUCHERS = 400

/** The next page of the voucher table in the browser, slowed four times: in frames, and beside a bare table of the same stack. */
export async function comparePageChange(): Promise<Comparison[]> {
  const { ours, bare } = await besideBareStack({ product: ofTable, bare: ofBareTable })
  const row = (what: string, ms: number, goal?: string) => inFrames(`page change at 4x CPU, ${what}`, ms, goal)
  return [
    row('press to next frame', ours.press, '≤ 1.00'),
    row('answer to its rows on the screen', ours.rows, '≤ 1.00'),
    row('press to rows, of a bare table', bare.rows),
    {
      what: 'page change at 4x CPU, work of the main thread',
      product: ours.work,
      baseline: bare.work,
      unit: 'ms',
      against: 'a bare React table of ten rows',
    },
  ]
}

async function ofTable(page: Page, origin: PortalOrigin): Promise<PageChange> {
  await signIn(page, await merchantWithVouchers(origin), '/vouchers')
  await page.getByText(`1–10 of ${VOUCHERS}`).first().waitFor()
  await page.evaluate('navigator.serviceWorker.ready')
  await quietMachine()
  return pageChanges(page, CHANGES)
}

async function ofBareTable(page: Page, url: string): Promise<PageChange> {
  await page.goto(`${url}/vouchers`)
  await page.locator('tbody tr').first().waitFor()
  await quietMachine()
  return pageChanges(page, CHANGES)
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
