import type { Browser, Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeVoucher, type User } from '../../support/database/builders.ts'
import { isRedemption, UPLOADING, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

/** Opens a counter and its merchant's list of devices, each in its own browser. */
async function counterAndMerchant(page: Page, browser: Browser, origin: PortalOrigin) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const cashier = await makePosUser(db, merchant)
  const voucher = await makeVoucher(db, { denominationCents: 1000 })
  await logIn(page, cashier)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  const devices = await openDevices(browser, origin, merchant.main)
  return { cashier, voucher, devices, branch: merchant.branch }
}

async function openDevices(browser: Browser, origin: PortalOrigin, user: User): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin.url })
  const page = await context.newPage()
  await logIn(page, user)
  await page.goto('/devices')
  await expect(page.getByRole('heading', { level: 1, name: 'Tills' })).toBeVisible()
  return page
}

const tillRow = (page: Page) => page.getByRole('row').filter({ hasText: 'Till 2' })

/** Waits until the till's next call has sent its report and the reloaded list shows `words`. */
async function expectRow(till: Page, devices: Page, words: string | RegExp) {
  await expect(async () => {
    await fireVisibilityChange(till)
    await devices.reload()
    await expect(tillRow(devices)).toContainText(words, { timeout: 2_000 })
  }).toPass()
}

test('a merchant sees what waits on a till, and that nothing does once it is uploaded', async ({
  page,
  browser,
  origin,
}) => {
  const { cashier, voucher, devices, branch } = await counterAndMerchant(page, browser, origin)
  await expectRow(page, devices, cashier.loginName)
  await expect(tillRow(devices)).toContainText('Not enrolled')
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expectRow(page, devices, '1 voucher waiting')
  await expect(tillRow(devices)).toContainText('$10.00')

  await devices.getByRole('button', { name: 'Till 2', exact: true }).click()
  const dialog = devices.getByRole('dialog', { name: 'Till 2' })
  await expect(dialog).toContainText(branch.name)
  await expect(dialog).toContainText('1 voucher, $10.00')
  await expectAccessibleAndFits(devices)
  await devices.keyboard.press('Escape')

  await origin.restore()
  await fireVisibilityChange(page)
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectRow(page, devices, 'Not enrolled')
  await devices.context().close()
})

test('a till is renamed by its merchant, and takes the name over with its next voucher', async ({
  page,
  browser,
  origin,
}) => {
  const { devices, voucher } = await counterAndMerchant(page, browser, origin)
  await tillRow(devices)
    .getByRole('button', { name: /^Actions/ })
    .click()
  await devices.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = devices.getByRole('dialog', { name: 'Rename Till 2' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectAccessibleAndFits(devices)
  await dialog.getByLabel('Name').fill('')
  await devices.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Name').fill('Takeaway')
  await devices.keyboard.press('Enter')
  await expect(devices.getByRole('row').filter({ hasText: 'Takeaway' })).toBeVisible()
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('banner')).toContainText('Takeaway · ')
  await devices.context().close()
})
