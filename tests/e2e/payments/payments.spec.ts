import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { setPaid } from '../../../server/db/payments/statements.ts'
import { sendDueSummaries } from '../../../server/services/reports/monthlySummary.ts'
import { logIn, readyOffline } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeBranch, makeMerchant, makePosUser, makeRedemption, makeUser } from '../../support/database/builders.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

/** Makes a merchant with $3,540.00 in November, closed, and moves the server to this day. */
async function november(origin: PortalOrigin, day = '2026-12-16') {
  origin.clock.advance(Date.parse('2026-12-01T22:00:00Z') - origin.clock.now().getTime())
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const master = await makeUser(db, 'Additional Merchant', merchant)
  const managed = await makeBranch(db, merchant.organisation, { masterUserId: master.id })
  const till = await makePosUser(db, merchant)
  await makeRedemption(db, till, '2026-11-10', { denominationCents: 300_000 })
  await makeRedemption(db, await makePosUser(db, { ...merchant, branch: managed }), '2026-11-30', {
    denominationCents: 54_000,
  })
  await sendDueSummaries(origin.deps)
  origin.clock.advance(Date.parse(`${day}T02:00:00Z`) - origin.clock.now().getTime())
  return { ...merchant, master, managed, till }
}

const card = (page: Page) => page.getByRole('main').getByRole('region', { name: 'Payments' })
// The rows of the dashboard may still be drawn after the address has changed.
const row = (page: Page, month: string) =>
  page.getByRole('table', { name: 'Payments', exact: true }).getByRole('row').filter({ hasText: month })

test('a merchant reads on the dashboard what is paid and when, and downloads a statement that adds up @short', async ({
  page,
  origin,
}) => {
  const { main, branch, managed } = await november(origin)
  await logIn(page, main)
  await expect(card(page)).toContainText('You will be paid $3,540.00 by 30 December for November.')
  await card(page).getByRole('link', { name: 'All payments' }).click()
  await expect(page).toHaveURL('/payments')
  await expect(row(page, 'Nov 2026')).toContainText('$3,540.00')
  await expect(row(page, 'Nov 2026')).toContainText('30 Dec 2026')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV, statement for Nov 2026' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Statement, 2026-11.csv')
  const lines = parseSentCsv(await readFile(await download.path(), 'utf8'))
  const rows = lines.filter(([month]) => month === '2026-11')
  expect(Object.fromEntries(rows.map(([, name, , , amount]) => [name, amount]))).toEqual({
    [branch.name]: '3000.00',
    [managed.name]: '540.00',
  })
  expect(rows.reduce((sum, [, , , , amount]) => sum + Number(amount), 0)).toBe(3_540)
  await expectAccessibleAndFits(page)
})

test('a payment is told with its day, a day that has passed without one is told without blame', async ({
  page,
  origin,
}) => {
  const { main, organisation } = await november(origin, '2027-01-05')
  await logIn(page, main)
  await expect(card(page)).toContainText('Your payment of $3,540.00 for November was due on 30 December.')
  const of = { organisationId: organisation.id, month: '2026-11' }
  await setPaid(origin.database.db, of, { paidOn: '2027-01-04', reference: 'GIRO 7' })
  await page.goto('/payments')
  await expect(row(page, 'Nov 2026')).toContainText('4 Jan 2027')
  await expect(row(page, 'Nov 2026')).toContainText('GIRO 7')
  await page.goto('/dashboard')
  await expect(card(page)).toContainText('You were paid $3,540.00 on 4 January for November.')
})

test('before the first statement both screens say when it comes', async ({ page, origin }) => {
  origin.clock.advance(Date.parse('2026-12-16T02:00:00Z') - origin.clock.now().getTime())
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await expect(card(page)).toContainText('The first statement comes on 2 January, for December.')
  await page.goto('/payments')
  await expect(page.getByRole('heading', { name: 'No statement yet' })).toBeVisible()
  await expect(page.getByText('The first statement comes on 2 January, for December.')).toBeVisible()
})

test('a master sees the share of its branches, a branch neither card nor page', async ({ page, origin }) => {
  const merchant = await november(origin)
  await logIn(page, merchant.master)
  await expect(card(page)).toContainText('Your branches will be paid $540.00 by 30 December for November.')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payments' }).click()
  await expect(row(page, 'Nov 2026')).toContainText('$540.00')
  await expect(page.getByText('Amounts are those of your branches.')).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.clear())
  await logIn(page, await makeUser(origin.database.db, 'Branch Merchant', merchant))
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await expect(sidebar.getByRole('link', { name: 'Tills' })).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Payments' })).toHaveCount(0)
  await expect(card(page)).toHaveCount(0)
  await page.goto('/payments')
  await expect(page).toHaveURL('/404')
})

testWithWorker(
  'without a connection the payments stay readable, and a file is refused before the tap',
  async ({ page, origin }) => {
    const { main } = await november(origin)
    await logIn(page, main, '/payments')
    await expect(row(page, 'Nov 2026')).toBeVisible()
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(row(page, 'Nov 2026')).toContainText('$3,540.00')
    await expect(page.getByText('Downloading needs a connection.')).toBeVisible()
    const pdf = page.getByRole('button', { name: 'PDF, statement for Nov 2026' })
    await expect(pdf).toHaveAttribute('aria-disabled', 'true')
  },
)

test('the sidebar stays in view beside a long page', async ({ page, origin }) => {
  const { main } = await november(origin)
  await page.setViewportSize({ width: 1280, height: 700 })
  await logIn(page, main)
  await expect(card(page)).toBeVisible()
  await page.getByRole('heading', { name: 'Latest redemptions' }).scrollIntoViewIfNeeded()
  await page.mouse.wheel(0, 5_000)
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Profile' })).toBeInViewport()
})
