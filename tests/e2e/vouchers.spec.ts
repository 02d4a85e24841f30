import { formatSerial } from '../../src/domain/serialNumber.ts'
import { makeMerchant, makePosUser, makeRedemption, makeVoucher } from '../support/builders.ts'
import { expectNoAxeViolations } from '../support/expectNoAxeViolations.ts'
import { expect, test } from '../support/fixtures.ts'
import { readyOffline, scan, signIn } from '../support/person.ts'
import type { PortalOrigin } from '../support/portalOrigin.ts'

/** A merchant whose branch redeemed `count` vouchers, one a day, each worth a little more. */
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
  return { ...merchant, serials }
}

test('the table sorts, pages and searches at the server, and its state is the URL', async ({ page, origin }) => {
  const { main, serials } = await merchantWithVouchers(origin, 12)
  await signIn(page, main, '/vouchers')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(10)
  await expect(page.locator('.table-foot')).toContainText('1–10 of 12')
  await expect(rows.first()).toContainText(formatSerial(serials.at(-1)!))

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL('/vouchers?page=2')
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'Date used' }).click()
  await page.getByRole('button', { name: 'Date used' }).click()
  await expect(page).toHaveURL(/sort=date_used.*dir=asc|dir=asc.*sort=date_used/)
  await expect(page.getByRole('columnheader', { name: 'Date used' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows.first()).toContainText(formatSerial(serials[0]!))

  await page.getByRole('searchbox', { name: 'Serial number' }).fill(serials[4]!)
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText(formatSerial(serials[4]!))
})

test('Back goes through the states, and a copied link shows the same rows', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 12)
  await signIn(page, main, '/vouchers')
  const rows = page.locator('tbody tr')
  await expect(rows).toHaveCount(10)
  await page.getByRole('button', { name: 'Denomination' }).click()
  await expect(page).toHaveURL(/sort=denomination/)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows).toHaveCount(2)
  const link = page.url()
  const shown = await rows.allInnerTexts()
  await page.goBack()
  await expect(rows).toHaveCount(10)
  await page.goBack()
  await expect(page).toHaveURL('/vouchers')
  await page.goto(link)
  await expect(rows).toHaveCount(2)
  expect(await rows.allInnerTexts()).toEqual(shown)
})

test('the denomination filter comes from the reference list', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 6)
  await signIn(page, main, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(6)
  await page.getByLabel('Denomination').selectOption('$5.00')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(6)
})

test('a full serial, typed or scanned, finds any voucher of the programme, and never says where it was used', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const active = await makeVoucher(db)
  const elsewhere = await makePosUser(db)
  const { voucher: foreign } = await makeRedemption(db, elsewhere, '2026-10-01')
  const { main } = await makeMerchant(db)
  await signIn(page, main, '/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Serial number' }).fill(formatSerial(active.serial))
  await expect(page.locator('tbody tr')).toContainText(['Active'])

  await page.getByRole('heading', { name: 'Vouchers' }).click()
  await scan(page, foreign.serial, page.getByText(formatSerial(foreign.serial)))
  const row = page.locator('tbody tr')
  await expect(row).toContainText([formatSerial(foreign.serial)])
  await expect(row).toContainText(['Used'])
  await expect(row.first()).not.toContainText(elsewhere.branch.name)
  await expect(row.first()).not.toContainText('2026')
})

test('a serial nobody has is said to be unknown, with a way out', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main, '/vouchers?q=2999999999990')
  await expect(page.getByText('No voucher with this serial number')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page).toHaveURL('/vouchers')
})

test('without a line the last-seen page stays, labelled with its age, and refreshes when the line is back', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithVouchers(origin, 3)
  await signIn(page, main, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await readyOffline(page)
  await origin.line({ kind: 'refuse' })
  await page.reload()
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await expect(page.getByText(/This list is as of \d\d:\d\d today/)).toBeVisible()
  await expect(page.getByRole('banner').getByText('Offline')).toBeVisible()

  await page.goto('/vouchers?page=9')
  await expect(page.getByText('This list was not opened here before')).toBeVisible()

  await origin.line({ kind: 'up' })
  await page.goto('/vouchers')
  await expect(page.getByText(/This list is as of/)).toHaveCount(0)
  await expect(page.getByRole('banner').getByText('Online')).toBeVisible()
})

test('an error of the server says what happened and offers to try again', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 1)
  await signIn(page, main)
  await origin.line({ kind: 'unavailable' }, ({ path }) => path === '/api/voucher/datatable')
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await origin.line({ kind: 'up' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(1)
})

test('the page is accessible, on a tablet and on a phone', async ({ page, origin }) => {
  const { main } = await merchantWithVouchers(origin, 3)
  await signIn(page, main, '/vouchers')
  await expect(page.locator('tbody tr')).toHaveCount(3)
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeViolations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
