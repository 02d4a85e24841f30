import type { Page } from '@playwright/test'
import { addDays, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { readyOffline, scanAtVouchers, logIn } from '../../support/accounts/logIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeHold,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoucher,
} from '../../support/database/builders.ts'
import { receiptNumber } from '../../support/redemptions/counterPage.ts'
import { signsOf, typeLikeScanner } from '../../support/redemptions/handScanner.ts'

const TABLE = '/api/voucher/datatable'

/** Makes a merchant whose branch redeemed `count` vouchers, one a day, each worth a little more. */
async function merchantWithVouchers(origin: PortalOrigin, count: number) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  const serials: string[] = []
  for (let day = 1; day <= count; day += 1) {
    const at = `2026-10-${String(day).padStart(2, '0')}`
    const { voucher } = await makeRedemption(db, till, at, { denominationCents: day % 2 ? 500 : 1000 })
    serials.push(voucher.serial)
  }
  return { ...merchant, till, serials }
}

test('the table sorts, pages and searches at the server, and its state is the URL @short', async ({ page, origin }) => {
  const { main, serials } = await merchantWithVouchers(origin, 12)
  await logIn(page, main, '/vouchers')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(10)
  await expect(page.locator('[data-table-foot]')).toContainText('1–10 of 12')
  await expect(rows.first()).toContainText(formatSerial(serials.at(-1)!))

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/vouchers?page=2')
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'Date used' }).click()
  await expect(page).toHaveURL(/sort=date_used.*dir=asc|dir=asc.*sort=date_used/)
  await expect(page.getByRole('columnheader', { name: 'Date used' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows.first()).toContainText(formatSerial(serials[0]!))

  await page.getByRole('searchbox', { name: 'Serial number' }).fill(serials[4]!)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText(formatSerial(serials[4]!))
})

test('Vouchers opens with the latest redemptions until another view is chosen, a link keeps its order, and the order is said', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  for (let n = 1; n < 9; n += 1) await makeRedemption(db, till, '2026-10-03')
  const { voucher: newest } = await makeRedemption(db, till, '2026-10-05')
  const { voucher: oldest } = await makeRedemption(db, till, '2026-10-01')
  await logIn(page, merchant.main)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  const [rows, foot] = [page.locator('tbody tr'), page.locator('[data-table-foot]')]
  const view = page.getByRole('button', { name: /^View: / })
  await expect(rows.first()).toContainText(formatSerial(newest.serial))
  await expect(view).toHaveAccessibleName('View: Latest redemptions')
  await expect(foot).toContainText('Sorted by Date used, descending')
  await expect(page).toHaveURL('/vouchers')
  // One request: the table is not loaded in another order first.
  expect(origin.sent('POST', TABLE)).toHaveLength(1)
  await page.getByLabel('Status').selectOption('Used')
  await expect(page).toHaveURL(/filter=/)
  await expect(view).toHaveAccessibleName('View: Latest redemptions')
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCount(0)

  await page.goto(`/vouchers?filter=${encodeURIComponent(JSON.stringify({ status: 'Used' }))}`)
  await expect(rows.first()).toContainText(formatSerial(oldest.serial))
  await expect(foot).toContainText('Newest first')
  await expect(view).toHaveAccessibleName('View: All')
  await page.goto('/vouchers?sort=serial&dir=asc')
  await expect(foot).toContainText('Sorted by Serial number, ascending')

  await page.goto('/vouchers')
  await view.click()
  await page.getByRole('menuitemradio', { name: 'All' }).click()
  await expect(page).toHaveURL('/vouchers?view=all')
  await expect(rows.first()).toContainText(formatSerial(oldest.serial))
  await page.reload()
  await expect(view).toHaveAccessibleName('View: All')
})

test('a voucher that is longer than its window scrolls by keyboard between its title and its buttons', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const { voucher } = await makeRedemption(db, await makePosUser(db, merchant), '2026-10-05')
  await logIn(page, merchant.main, `/vouchers?voucher=${voucher.id}`)
  const dialog = page.getByRole('dialog')
  const region = dialog.getByRole('group', { name: formatSerial(voucher.serial) })
  await expect(dialog.getByRole('button', { name: 'Copy serial number' })).toBeVisible()
  await page.setViewportSize({ width: 640, height: 400 })
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(region).toBeFocused()
  await page.keyboard.press('End')
  await expect(dialog.getByRole('button', { name: 'Copy serial number' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 1200 })
  await expect(region).toHaveCount(0)
})

test('denomination, status and days of use narrow the list, and stand in the link', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 10)
  await logIn(page, main, '/vouchers')
  const rows = page.locator('tbody tr')
  await page.getByLabel('Denomination').selectOption('$5.00')
  await expect(rows).toHaveCount(5)
  await page.getByLabel('Used from').fill('2026-10-03')
  await expect(rows).toHaveCount(4)
  await page.getByLabel('Used to').fill('2026-10-03')
  await expect(rows).toHaveCount(1)
  const link = page.url()
  await page.getByLabel('Status').selectOption('Expired')
  await expect(page.getByText('No voucher found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(rows).toHaveCount(10)
  await page.goto(link)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('3 Oct 2026')
})

test('the days of use are typed or named, and the field says what is wrong with them', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 10)
  await logIn(page, main, '/vouchers')
  await page.getByLabel('Used from').fill('2026-10-03')
  await page.getByLabel('Used to').fill('2026-10-01')
  await expect(page.getByText('Used to must not be before Used from.')).toBeVisible()
  await expect(page.getByLabel('Used to')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('The first day is after the last day.')).toBeVisible()
  await page.getByLabel('Used to').fill('2026-10-03')
  await expect(page.locator('tbody tr')).toHaveCount(1)

  const [from, to] = [page.getByLabel('Used from'), page.getByLabel('Used to')]
  // A year is typed digit by digit, slower than a scanner types: the list waits for the last digit.
  await from.focus()
  const asked = origin.sent('POST', '/voucher/datatable').length
  await page.keyboard.type('10022026', { delay: 60 })
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await expect(from).toHaveValue('2026-10-02')
  expect(origin.sent('POST', '/voucher/datatable').length - asked).toBeLessThanOrEqual(3)
  // When the field is left with an invalid date, the date before is restored.
  await from.focus()
  await page.keyboard.press('Backspace')
  await to.focus()
  await expect(from).toHaveValue('2026-10-02')
  await expect(page.locator('tbody tr')).toHaveCount(2)

  const common = page.getByRole('button', { name: 'Common periods' })
  await common.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Yesterday' }).press('Enter')
  const yesterday = addDays(singaporeDay(origin.clock.now()), -1)
  await expect(page).toHaveURL(new RegExp(`${yesterday}.*${yesterday}`))
  await expect(common).toBeFocused()
})

test('a Branch Merchant has no branch to choose', async ({ page, origin }) => {
  const merchant = await merchantWithVouchers(origin, 1)
  const user = await makeUser(origin.database.db, 'Branch Merchant', merchant)
  await logIn(page, user, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page.getByLabel('Branch')).toHaveCount(0)
})

test('a full serial, typed or scanned, finds any voucher of the programme, and never says where it was used @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const active = await makeVoucher(db)
  const elsewhere = await makePosUser(db)
  const { voucher: foreign } = await makeRedemption(db, elsewhere, '2026-10-01')
  const { main } = await makeMerchant(db)
  await logIn(page, main, '/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Serial number' }).fill(formatSerial(active.serial))
  await expect(page.locator('tbody tr')).toContainText(['Active'])

  await page.getByRole('heading', { name: 'Vouchers' }).click()
  await scanAtVouchers(page, foreign.serial)
  await expect(page.getByRole('link', { name: formatSerial(foreign.serial) })).toBeVisible()
  const row = page.locator('tbody tr')
  await expect(row).toContainText([formatSerial(foreign.serial)])
  await expect(row).toContainText(['Used'])
  await expect(row.first()).not.toContainText(elsewhere.branch.name)
  await expect(row.first()).not.toContainText('2026')
  const said = page.getByRole('status').filter({ hasText: formatSerial(foreign.serial) })
  await expect(said).toHaveText([`${formatSerial(foreign.serial)}: $10.00, Used`])

  await page.getByRole('link', { name: formatSerial(foreign.serial) }).click()
  const dialog = page.getByRole('dialog', { name: formatSerial(foreign.serial) })
  await expect(dialog).toContainText('None of your branches has redeemed it')
  await expect(dialog).not.toContainText(elsewhere.branch.name)
  await expect(dialog).not.toContainText('History')
})

test('a serial nobody has is said to be unknown, with a way out', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main, '/vouchers?q=2999999999990')
  await expect(page.getByRole('heading', { name: 'No voucher with this serial number' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page).toHaveURL('/vouchers')
})

const dialogOf = (page: Page, serial: string) => page.getByRole('dialog', { name: formatSerial(serial) })

test('a voucher opens over the table: what it is and what happened to it; Back closes it, its link opens it', async ({
  page,
  origin,
}) => {
  const { main, branch, till, serials } = await merchantWithVouchers(origin, 12)
  await logIn(page, main, '/vouchers?page=2')
  const row = page.getByRole('link', { name: formatSerial(serials[0]!) })
  await row.press('Enter')
  const dialog = dialogOf(page, serials[0]!)
  await expect(dialog).toContainText('$5.00')
  await expect(dialog).toContainText('1 Oct 2026, 00:00')
  await expect(dialog.getByRole('listitem')).toHaveText([
    new RegExp(`^Redeemed1 Oct 2026, 00:00${branch.name}, ${till.loginName}, receipt R-\\d+Copy$`),
  ])
  await expect(page).toHaveURL(/\?page=2&voucher=[0-9a-f-]{36}$/)
  const link = page.url()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/vouchers?page=2')
  await expect(row).toBeFocused()

  await row.click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/vouchers?page=2')
  await page.goForward()
  await expect(dialog).toBeVisible()

  await page.goto('/dashboard')
  await page.goto(link)
  await expect(dialog).toContainText('Redeemed')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/vouchers?page=2')
  await expect(page.locator('tbody tr')).toHaveCount(2)
})

test('the menu of a row opens the voucher and copies its number', async ({ page, origin, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const { main, serials } = await merchantWithVouchers(origin, 1)
  await logIn(page, main, '/vouchers')
  const menu = page.getByRole('button', { name: `Actions for ${formatSerial(serials[0]!)}` })
  await menu.click()
  await page.getByRole('menuitem', { name: 'View voucher' }).click()
  await expect(dialogOf(page, serials[0]!)).toContainText('Redeemed')
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Copy serial number' }).click()
  await expect(page.getByText('Serial number copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(serials[0])
})

test('a hold of a till is shown with its till, and released after a warning @short', async ({ page, origin }) => {
  const { main, till } = await merchantWithVouchers(origin, 2)
  const { db } = origin.database
  const first = await makeHold(db, till, origin.clock.now())
  const second = await makeHold(db, till, origin.clock.now())
  await makeHold(db, till, origin.clock.now())
  await logIn(page, main, '/vouchers')
  await page.getByLabel('Status').selectOption('On hold')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: `Actions for ${formatSerial(first.voucher.serial)}` }).click()
  await page.getByRole('menuitem', { name: 'Release hold' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Release this hold?' })
  await expect(dialog).toContainText('This till may have redeemed it offline. If so, its upload will be refused.')
  await dialog.getByRole('button', { name: 'Release hold' }).click()
  await expect(page.getByText('Hold released')).toBeVisible()
  await expect(rows).toHaveCount(2)

  await page.getByRole('link', { name: formatSerial(second.voucher.serial) }).click()
  await expect(page.getByRole('dialog')).toContainText('Till 1, since')
  await page.getByRole('dialog').getByRole('button', { name: 'Release hold' }).click()
  await dialog.getByRole('button', { name: 'Release hold' }).click()
  await expect(rows).toHaveCount(1)
})

test('a link to a voucher of somebody else tells nothing', async ({ page, origin }) => {
  const { voucher, entry } = await makeRedemption(
    origin.database.db,
    await makePosUser(origin.database.db),
    '2026-10-01',
  )
  const { main } = await merchantWithVouchers(origin, 1)
  await logIn(page, main, `/vouchers?voucher=${voucher.id}`)
  const dialog = page.getByRole('dialog', { name: 'Voucher' })
  await expect(dialog).toContainText('No such voucher here')
  await expect(dialog).not.toContainText(String(entry.receiptNo))
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page).toHaveURL('/vouchers')
})

testWithWorker(
  'an opened voucher stays readable without a connection, with its age; another one says what is missing',
  async ({ page, origin }) => {
    const { main, serials } = await merchantWithVouchers(origin, 2)
    await logIn(page, main, '/vouchers')
    await page.getByRole('link', { name: formatSerial(serials[0]!) }).click()
    await expect(dialogOf(page, serials[0]!)).toContainText('Redeemed')
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    const kept = dialogOf(page, serials[0]!)
    await expect(kept).toContainText('Redeemed')
    await expect(kept).toContainText(/This is as of \d\d:\d\d today/)
    await page.keyboard.press('Escape')
    await expect(kept).toBeHidden()
    await page.getByRole('link', { name: formatSerial(serials[1]!) }).click()
    const other = dialogOf(page, serials[1]!)
    await expect(other).toContainText('2 Oct 2026')
    await expect(other).toContainText('Its history has not been opened here before')
  },
)

test('offline 64: a scan looks the serial up, whatever is open and filtered @short', async ({ page, origin }) => {
  const { main, serials } = await merchantWithVouchers(origin, 10)
  await logIn(page, main, '/vouchers')
  await page.getByLabel('Used from').fill('2026-10-10')
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.getByRole('link', { name: formatSerial(serials[9]!) }).click()
  await expect(dialogOf(page, serials[9]!)).toContainText('Redeemed')
  await scanAtVouchers(page, serials[0]!)
  await expect(page.getByRole('link', { name: formatSerial(serials[0]!) })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await expect(page).toHaveURL(`/vouchers?q=${encodeURIComponent(`"${serials[0]}"`)}`)
})

test('offline 65: a person typing in a field keeps the field, the keys and the Enter', async ({ page, origin }) => {
  const { main, serials } = await merchantWithVouchers(origin, 2)
  await logIn(page, main, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  const field = page.getByLabel('Serial number')
  await field.pressSequentially(serials[0]!.slice(0, 9), { delay: 200 })
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(serials[0]!.slice(0, 9))
})

test('offline 66: a scanner that begins with a control key and ends with Tab gives a clean serial', async ({
  page,
  origin,
}) => {
  const { main, serials } = await merchantWithVouchers(origin, 2)
  await logIn(page, main, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await typeLikeScanner(page, [{ key: 'b', ctrl: true }, ...signsOf(serials[1]!)], {
    ends: [{ key: 'Tab', code: 'Tab' }],
  })
  await expect(page).toHaveURL(`/vouchers?q=${encodeURIComponent(`"${serials[1]}"`)}`)
  await expect(page.locator('tbody tr')).toHaveCount(1)
})

test('the receipt of a used voucher is shown again and printed alone @short', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  const { voucher, entry } = await makeRedemption(db, till, '2026-10-05')
  await logIn(page, merchant.main, `/vouchers?voucher=${voucher.id}`)
  await page.getByRole('button', { name: 'Receipt', exact: true }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  for (const fact of [merchant.branch.name, till.loginName, formatSerial(voucher.serial), receiptNumber(entry)]) {
    await expect(receipt).toContainText(fact)
  }
  await page.emulateMedia({ media: 'print' })
  await expect(receipt.getByText('$10.00')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Vouchers', includeHidden: true })).toBeHidden()
  await expect(receipt.getByRole('button', { name: 'Print', includeHidden: true })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await receipt.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog', { name: formatSerial(voucher.serial) })).toBeVisible()
})
