import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sql } from 'drizzle-orm'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { PHONE } from '../../support/accounts/loginPage.ts'
import { expectAccessibleAndFits, expectNoSidewaysScroll } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeTill,
  makeUser,
  type Merchant,
} from '../../support/database/builders.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

// The features that all lists share, tested on the voucher list.

/** Makes one voucher a day from 1 October on, $5.00 and $10.00 in turns, in two branches in turns of two. */
async function merchantWithVouchers(origin: PortalOrigin, count: number) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const second = { organisation: merchant.organisation, branch: await makeBranch(db, merchant.organisation) }
  const tills = [await makePosUser(db, merchant), await makePosUser(db, second)] as const
  const serials: string[] = []
  for (let day = 1; day <= count; day += 1) {
    const at = `2026-10-${String(day).padStart(2, '0')}`
    const till = tills[Math.floor(day / 2) % 2 === 0 ? 0 : 1]
    const { voucher } = await makeRedemption(db, till, at, { denominationCents: day % 2 ? 500 : 1000 })
    serials.push(voucher.serial)
  }
  return { ...merchant, second: second.branch, serials }
}

const rows = (page: Page) => page.locator('tbody tr')
const links = (page: Page) => page.locator('tbody tr a')
const shownSerials = async (page: Page) =>
  (await links(page).allInnerTexts()).map((serial) => serial.replaceAll(' ', ''))

test('the arrows go from row to row in the same column, Home and End to the first and last', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithVouchers(origin, 4)
  await logIn(page, main, '/vouchers')
  await expect(rows(page)).toHaveCount(4)
  await links(page).first().focus()
  await page.keyboard.press('ArrowDown')
  await expect(links(page).nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(links(page).nth(3)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(links(page).first()).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(links(page).nth(3)).toBeFocused()
  await page.keyboard.press('Home')
  await expect(links(page).first()).toBeFocused()
  await page.keyboard.press('Tab')
  const menus = page.getByRole('button', { name: /^Actions for/ })
  await expect(menus.first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(menus.nth(3)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'View voucher' })).toBeFocused()
})

test('a list of fewer than ten rows has no tools, except those that its address uses; with ten rows it has all @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { main, organisation } = await makeMerchant(db)
  for (let n = 2; n < 10; n += 1) await makeBranch(db, organisation)
  await logIn(page, main, '/branches')
  await expect(links(page)).toHaveCount(9)
  const search = page.getByRole('searchbox', { name: 'Name, code or email' })
  const tools = [
    search,
    page.getByLabel('Status', { exact: true }),
    page.getByRole('button', { name: 'View: All' }),
    page.getByRole('button', { name: 'Export CSV' }),
  ]
  const pager = [page.getByLabel('Rows per page'), page.getByRole('navigation', { name: 'Pages' })]
  for (const tool of [...tools, ...pager]) await expect(tool).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Import' })).toBeVisible()

  await page.goto('/branches?q=nothing')
  await expect(page.getByText('No branch matches')).toBeVisible()
  await search.fill('')
  await expect(links(page)).toHaveCount(9)
  // What was used stays, and with it the focus.
  await expect(search).toBeFocused()
  for (const tool of tools) await expect(tool).toBeVisible()

  await makeBranch(db, organisation)
  await page.goto('/branches')
  for (const tool of tools) await expect(tool).toBeVisible()
  for (const tool of pager) await expect(tool).toHaveCount(0)
  await makeBranch(db, organisation)
  await page.reload()
  for (const tool of pager) await expect(tool).toBeVisible()
})

test("a row's open menu closes when another page's row takes its place, and the focus stays on the row's link", async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithVouchers(origin, 12)
  await logIn(page, main, '/vouchers')
  // Ten skeleton rows appear before the ten real rows.
  await expect(links(page)).toHaveCount(10)
  const [newest] = await shownSerials(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page)).toHaveCount(2)
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.goBack()
  await expect(links(page)).toHaveCount(10)
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect((await shownSerials(page))[0]).toBe(newest)
  await links(page).nth(1).focus()
  await page.goForward()
  await expect(rows(page)).toHaveCount(2)
  await expect(links(page).nth(1)).toBeFocused()
  await expect(page.getByRole('menu')).toHaveCount(0)
})

test('the export holds exactly the filtered rows, all pages of them, in the order of the table @short', async ({
  page,
  origin,
}) => {
  const { main, second, serials } = await merchantWithVouchers(origin, 24)
  await logIn(page, main, '/vouchers?sort=date_used&dir=asc')
  await expect(rows(page)).toHaveCount(10)
  await page.getByLabel('Branch').selectOption(second.name)
  await page.getByLabel('Used from').fill('2026-10-03')
  await page.getByLabel('Used to').fill('2026-10-23')
  await page.getByRole('searchbox', { name: 'Serial number' }).fill(serials[0]!.slice(0, 6))
  // The search starts after a pause in typing, and leads back to the first page.
  await expect(page).toHaveURL(/[?&]q=/)
  await expect(page.locator('[data-table-foot]')).toContainText('1–10 of 11')
  const firstPage = await shownSerials(page)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page)).toHaveCount(1)
  const inTable = [...firstPage, ...(await shownSerials(page))]

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^Vouchers, .+\.csv$/)
  const [, ...lines] = parseSentCsv((await readFile(await download.path(), 'utf8')).slice(1))
  expect(lines.map(([serial]) => serial)).toEqual(inTable)
  await expect(page.getByText(/^Saving Vouchers, .+\.csv\. Not in Downloads\? Save again\.$/)).toBeVisible()
})

testWithWorker('an export that fails says so, and offline it is refused before the tap', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 1)
  await logIn(page, main, '/vouchers?view=all')
  await expect(rows(page)).toHaveCount(1)
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === '/api/voucher/export')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByText(/^The list was not exported\./)).toBeVisible()
  await readyOffline(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(page.getByText(/This list is as of/)).toBeVisible()
  const button = page.getByRole('button', { name: 'Export CSV' })
  await expect(button).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Needs a connection.', { exact: true })).toBeVisible()
  await expectAccessibleAndFits(page)
})

test('the number of rows of a page is chosen, stands in the link, and begins at the first page', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithVouchers(origin, 12)
  await logIn(page, main, '/vouchers?page=2')
  await expect(rows(page)).toHaveCount(2)
  await page.getByLabel('Rows per page').selectOption('25')
  await expect(rows(page)).toHaveCount(12)
  await expect(page).toHaveURL('/vouchers?size=25')
  await page.goBack()
  await expect(rows(page)).toHaveCount(2)
})

test('presses on Next that follow each other at once add up, and are seen before the rows are', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithVouchers(origin, 31)
  await logIn(page, main, '/vouchers')
  // Ten skeleton rows appear before the ten real rows.
  await expect(page.getByText('Page 1 of 4')).toBeVisible()
  await origin.setConnection({ kind: 'hang' })
  await page.getByRole('button', { name: 'Next page' }).dblclick()
  await expect(page.getByText('Page 3 of 4')).toBeVisible()
  await expect(page).toHaveURL('/vouchers?page=3')
})

test('a link behind the last page opens the last one of any list, and one of an empty list says that it is empty', async ({
  page,
  origin,
}) => {
  const merchant = await merchantWithVouchers(origin, 12)
  const { organisation, branch } = merchant
  await makeUser(origin.database.db, 'Additional Merchant', { organisation })
  await makeTill(origin.database.db, { id: merchant.main.id, branch })
  await logIn(page, merchant.main, '/vouchers?page=9')
  await expect(page).toHaveURL('/vouchers?page=2')
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await expect(page).not.toHaveURL(/page=9/)
  for (const list of ['/masters', '/branches', '/devices']) {
    await page.goto(`${list}?page=9`)
    await expect(page).toHaveURL(list)
    await expect(page.locator('[data-table-foot]')).toContainText(/^1/)
  }
  // Resources are shared: another test may have made one.
  await page.goto('/reports/losses?page=9')
  await expect(page.getByText('No losses')).toBeVisible()
})

test('more than 10,000 rows are said to be more, and a page behind them is refused', async ({ page, origin }) => {
  const merchant = await makeMerchant(origin.database.db)
  await issueMany(origin, merchant, 10_001)
  await logIn(page, merchant.main, '/vouchers')
  await expect(page.locator('[data-table-foot]')).toContainText('1–10 of 10,000+')
  await expect(page.locator('[data-table-foot]')).toContainText('Page 1 of 1,000+')
  await page.goto('/vouchers?page=1002')
  await expect(page.getByText('This list could not be loaded')).toBeVisible()
})

/** Issues vouchers. The last digits of their serials may be wrong, because no test scans them. */
async function issueMany(origin: PortalOrigin, { organisation, branch }: Merchant, count: number) {
  await origin.database.db.execute(sql`
    INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, organisation_id, branch_id)
    SELECT gen_random_uuid(), '29' || lpad(n::text, 11, '0'), 500, '2027-12-31', 'Used', now(), ${organisation.id}, ${branch.id}
    FROM generate_series(1, ${sql.raw(String(count))}) n`)
}

test('on a phone the filters wait behind a button that counts them', async ({ page, origin }) => {
  const { main, serials } = await merchantWithVouchers(origin, 10)
  await logIn(page, main, '/vouchers')
  await page.setViewportSize(PHONE)
  await expect(links(page)).toHaveCount(10)
  await expect(page.getByLabel('Denomination')).toBeHidden()
  const button = page.getByRole('button', { name: 'Filters' })
  await button.press('Enter')
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await page.getByLabel('Denomination').selectOption('$5.00')
  await expect(rows(page)).toHaveCount(5)
  await expect(page.getByRole('button', { name: 'Filters, 1 used' })).toBeVisible()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Filters, 1 used' }).click()
  await expect(page.getByLabel('Denomination')).toBeHidden()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows(page)).toHaveCount(10)
  await expect(rows(page).first()).toContainText(formatSerial(serials.at(-1)!))
})
