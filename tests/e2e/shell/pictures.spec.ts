import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { expectPicture } from '../../support/browser/pictures.ts'
import { makeMerchant, makeVoucher } from '../../support/database/builders.ts'
import { merchantWithPast } from '../../support/merchants/merchantWithPast.ts'
import { inTray, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

// The twelve most important screens. After an intended change: run this file with --update-snapshots, and
// look at each changed picture before you commit it.

/** In the middle of a month, because a month's figures depend on the day. */
const DAY = Date.parse('2026-12-16T02:00:00Z')

test.beforeEach(async ({ page, origin }) => {
  origin.clock.advance(DAY - origin.clock.now().getTime())
  await page.clock.install({ time: origin.clock.now() })
})

test('the screens of a visitor and of a merchant look as they did @short', async ({ page, origin }) => {
  test.slow()
  const { main, branch } = await merchantWithPast(origin)
  const { main: applicant } = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation')
  const open = async (name: string, path: string, whole?: () => Promise<void>) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('[aria-busy=true], [data-skeleton]')).toHaveCount(0)
    await whole?.()
    await expectPicture(page, name)
  }
  await open('login', '/login')
  await logIn(page, applicant)
  await open('onboarding', '/onboarding')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await logIn(page, main)
  await open('dashboard', '/dashboard')
  await open('branch', `/branches/${branch.id}/view`)
  await open('profile', '/profile')
  await open('transaction-report', '/reports/transaction-report')
  await open('vouchers', '/vouchers?view=all', async () => {
    // The filter is as wide as its longest choice, and the choices are loaded separately.
    await expect(page.getByLabel('Denomination').getByRole('option', { name: '$50.00' })).toBeAttached()
  })
  await page.locator('tbody td a').first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(page.locator('[aria-busy=true], [data-skeleton]')).toHaveCount(0)
  await expectPicture(page, 'voucher')
})

test('the counter looks as it did, from one voucher to the next @short', async ({ page, origin }) => {
  test.slow()
  const { till } = await merchantWithPast(origin)
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1_000 })
  await logIn(page, till)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  // The day comes from the server after the rest, and would be drawn over what the picture hides.
  await expect(page.getByRole('heading', { name: /^Today 1 voucher/ })).toBeVisible()
  await expectPicture(page, 'counter')
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expectPicture(page, 'counter-good')
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectPicture(page, 'counter-redeemed')
  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Already used')).toBeVisible()
  await expectPicture(page, 'counter-used')
})
