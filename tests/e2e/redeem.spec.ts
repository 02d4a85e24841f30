import { eq } from 'drizzle-orm'
import { redemption } from '../../server/db/schema.ts'
import { formatSerial } from '../../src/domain/serialNumber.ts'
import { makePosUser, makeRedemption, makeSerial, makeVoucher } from '../support/builders.ts'
import { expectNoAxeViolations } from '../support/expectNoAxeViolations.ts'
import { expect, test } from '../support/fixtures.ts'
import { readyOffline, scan, signIn } from '../support/person.ts'
import type { PortalOrigin } from '../support/portalOrigin.ts'
import type { Page } from '@playwright/test'

const REDEEM = '/api/voucher/redeem'

const ledgerRows = (origin: PortalOrigin, voucherId: string) =>
  origin.database.db.select().from(redemption).where(eq(redemption.voucherId, voucherId))

/** Signed in at the counter with one good voucher. */
async function atTheCounter(page: Page, origin: PortalOrigin) {
  const till = await makePosUser(origin.database.db)
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  await signIn(page, till)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  return { till, voucher }
}

async function check(page: Page, serial: string) {
  await page.getByLabel('Or type the serial number').fill(serial)
  await page.getByRole('button', { name: 'Check voucher' }).click()
}

const keysOf = (origin: PortalOrigin) => origin.sent('POST', REDEEM).map(({ headers }) => headers['idempotency-key'])

const verdict = (page: Page, word: string) => page.getByRole('heading', { level: 1, name: word, exact: true })

test('a typed serial is shown with its worth, confirmed, and receipted', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await check(page, formatSerial(voucher.serial))
  await expect(page.getByRole('heading', { name: 'This voucher is good' })).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(page.getByText('Take $10.00 off the bill.')).toBeVisible()
  await expect(page.getByText(/^R-\d{6}/)).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  await page.getByRole('button', { name: 'Next voucher' }).click()
  await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
})

test('a hand scanner works anywhere on the screen, with the keyboard alone to the receipt', async ({
  page,
  origin,
}) => {
  const { voucher } = await atTheCounter(page, origin)
  await page.getByText('Tampines').or(page.getByRole('banner')).first().click()
  await scan(page, `HRP1.${voucher.serial}`, page.getByRole('heading', { name: 'This voucher is good' }))
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next voucher' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
})

test('a double tap redeems once, under one key', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await check(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).dblclick()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(origin.sent('POST', REDEEM)).toHaveLength(1)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
})

test('used, expired, revoked and unknown vouchers each get their own answer, and take nothing', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { till } = await atTheCounter(page, origin)
  const used = (await makeRedemption(db, till, '2026-10-01')).voucher
  const cases = [
    { serial: used.serial, word: 'Already used' },
    { serial: (await makeVoucher(db, { expiresOn: '2026-01-31' })).serial, word: 'Expired' },
    { serial: (await makeVoucher(db, { status: 'Revoked' })).serial, word: 'Revoked' },
    { serial: makeSerial(), word: 'Unknown voucher' },
  ]
  for (const { serial, word } of cases) {
    await check(page, serial)
    await expect(verdict(page, word)).toBeVisible()
    await expect(page.getByText('Take nothing off the bill.')).toBeVisible()
    await page.getByRole('button', { name: 'Next voucher' }).click()
  }
  expect(origin.sent('POST', REDEEM)).toHaveLength(0)
})

test('a mistyped serial is caught at the field, before the line is asked', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  const last = (Number(voucher.serial.at(-1)) + 1) % 10
  await check(page, voucher.serial.slice(0, 12) + last)
  await expect(page.getByText('The serial number is mistyped: the last digit does not fit.')).toBeVisible()
  await expect(page.getByLabel('Or type the serial number')).toHaveValue(
    formatSerial(voucher.serial.slice(0, 12) + last),
  )
  expect(origin.sent('POST', '/api/voucher/verify')).toHaveLength(0)
})

test('a voucher used at another till between check and confirm is refused', async ({ page, origin }) => {
  const { db } = origin.database
  const { voucher } = await atTheCounter(page, origin)
  await check(page, voucher.serial)
  const confirm = page.getByRole('button', { name: 'Redeem $10.00' })
  await expect(confirm).toBeVisible()
  const other = await makePosUser(db)
  await db.execute(
    `UPDATE voucher SET status = 'Used', used_at = now(), redeemed_organisation_id = '${other.organisation.id}', redeemed_branch_id = '${other.branch.id}' WHERE id = '${voucher.id}'`,
  )
  await confirm.click()
  await expect(verdict(page, 'Already used')).toBeVisible()
})

test('without a line nothing is taken, and the cashier is told what to say', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await origin.line({ kind: 'refuse' })
  await check(page, voucher.serial)
  await expect(verdict(page, 'Cannot be checked now')).toBeVisible()
  await expect(page.getByText('Ask for other payment. The voucher stays valid.')).toBeVisible()
  await origin.line({ kind: 'up' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'This voucher is good' })).toBeVisible()
})

test('a lost answer is asked for under the same id: Checking…, then Redeemed, once', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await check(page, voucher.serial)
  // Many: Chromium itself repeats a request whose kept-alive connection died before a byte came back, even a POST.
  void origin.loseAnswer(({ path }) => path === REDEEM, 1_000)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Checking…')).toBeVisible()
  await expect.poll(() => origin.sent('POST', REDEEM).length).toBeGreaterThan(0)
  await origin.restore()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(new Set(keysOf(origin)).size).toBe(1)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
})

test('an answer that stays away is never called Redeemed; the till asks on and tells what became of it', async ({
  page,
  origin,
}) => {
  test.slow()
  const { voucher } = await atTheCounter(page, origin)
  await check(page, voucher.serial)
  // The redemption happens; neither its answer nor any later one comes back.
  void origin.loseAnswer(({ path }) => path.startsWith('/api/'), 1_000)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Not known yet')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('Take nothing off the bill yet.')).toBeVisible()
  const sentBefore = origin.sent('POST', REDEEM).length
  await origin.restore()
  await expect(page.getByText(/\$10\.00 was redeemed after all, receipt R-\d+/)).toBeVisible({ timeout: 20_000 })
  expect(sentBefore).toBeGreaterThan(0)
  // Giving up turned sending into asking.
  expect(origin.sent('POST', REDEEM)).toHaveLength(sentBefore)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  await page.getByRole('button', { name: 'Understood' }).click()
  await expect(page.getByText(/was redeemed after all/)).toHaveCount(0)
})

test('a battery that dies while asking loses nothing and takes nothing twice', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await readyOffline(page)
  await check(page, voucher.serial)
  void origin.loseAnswer(({ path }) => path === REDEEM, 1_000)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect.poll(() => origin.sent('POST', REDEEM).length).toBeGreaterThan(0)
  await page.reload()
  await expect(page.getByText(/\$10\.00 was redeemed after all/)).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
})

test('the counter reaches its receipt with two tabs open on one device', async ({ page, context, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  const second = await context.newPage()
  await second.goto('/redeem')
  await check(page, voucher.serial)
  await check(second, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await second.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(second, 'Already used')).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  await expect(second.getByText(/redeemed after all/)).toHaveCount(0)
})

test('the counter starts without a line and says so', async ({ page, origin }) => {
  await atTheCounter(page, origin)
  await readyOffline(page)
  await origin.line({ kind: 'refuse' })
  await page.reload()
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await expect(page.getByRole('banner').getByText('Offline')).toBeVisible()
})

test('every screen of the counter is accessible', async ({ page, origin }) => {
  const { voucher } = await atTheCounter(page, origin)
  await expectNoAxeViolations(page)
  await check(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeViolations(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})
