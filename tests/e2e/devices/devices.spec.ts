import type { Browser, Page } from '@playwright/test'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeTill, makeVoucher, type User } from '../../support/database/builders.ts'
import { makeMissing } from '../../support/devices/reportingDevice.ts'
import { isRedemption, UPLOADING, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

/** A counter and its merchant, each in a browser of their own. */
async function counterAndMerchant(page: Page, browser: Browser, origin: PortalOrigin) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const cashier = await makePosUser(db, merchant)
  const voucher = await makeVoucher(db, { denominationCents: 1000 })
  await signIn(page, cashier)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  const devices = await openDevices(browser, origin, merchant.main)
  return { cashier, voucher, devices, branch: merchant.branch }
}

async function openDevices(browser: Browser, origin: PortalOrigin, user: User): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin.url })
  const page = await context.newPage()
  await signIn(page, user)
  await page.goto('/devices')
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible()
  return page
}

const tillRow = (page: Page) => page.getByRole('row').filter({ hasText: 'Till 2' })

/** The next call of the till takes the report along, and the list is read again. */
async function expectRow(till: Page, devices: Page, words: string | RegExp) {
  await expect(async () => {
    await fireVisibilityChange(till)
    await devices.reload()
    await expect(tillRow(devices)).toContainText(words, { timeout: 2_000 })
  }).toPass()
}

test('a merchant sees what waits on a till, and that nothing does once it is uploaded @short', async ({
  page,
  browser,
  origin,
}) => {
  const { cashier, voucher, devices, branch } = await counterAndMerchant(page, browser, origin)
  await expectRow(page, devices, cashier.loginName)
  await expect(tillRow(devices)).toContainText('Not enrolled')
  await verifySerial(page, voucher.serial)
  await origin.line({ kind: 'refuse' }, isRedemption)
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

/** Takes `count` vouchers of $10 one after the other, while none of them can be uploaded. */
async function takeOffline(page: Page, origin: PortalOrigin, count: number) {
  await origin.line({ kind: 'refuse' }, isRedemption)
  for (let each = 0; each < count; each += 1) {
    const { serial } = await makeVoucher(origin.database.db, { denominationCents: 1000 })
    await verifySerial(page, serial)
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, UPLOADING)).toBeVisible()
    await page.getByRole('button', { name: 'Next voucher' }).click()
  }
}

/** As somebody does who opens the storage of the browser. */
const deleteRows = (page: Page, numbers: number[]) =>
  page.evaluate(async (wanted) => {
    const opening = indexedDB.open('till')
    await new Promise((resolve) => (opening.onsuccess = resolve))
    const vouchers = opening.result.transaction('vouchers', 'readwrite').objectStore('vouchers')
    const reading = vouchers.getAll()
    await new Promise((resolve) => (reading.onsuccess = resolve))
    const rows = reading.result as { id: string; taking?: { number: number } }[]
    const lost = rows.filter(({ taking }) => taking && wanted.includes(taking.number))
    for (const { id } of lost) vouchers.delete(id)
    await new Promise((resolve) => (vouchers.transaction.oncomplete = resolve))
    opening.result.close()
    return lost.length
  }, numbers)

test('offline 82: of fifty that are redeemed offline three rows disappear, the rest is uploaded: Devices names till and numbers', async ({
  page,
  browser,
  origin,
}) => {
  test.setTimeout(240_000)
  const { devices } = await counterAndMerchant(page, browser, origin)
  const ledger = async () => (await origin.database.db.select().from(redemption)).length
  // A till holds fifteen at one time (rule 9.8), and what is lost stays held: so ten at a time.
  for (let lot = 1; lot <= 5; lot += 1) {
    await takeOffline(page, origin, 10)
    const lost = [7, 23, 41].filter((number) => number > (lot - 1) * 10 && number <= lot * 10)
    expect(await deleteRows(page, lost)).toBe(lost.length)
    const before = await ledger()
    await origin.restore()
    await fireVisibilityChange(page)
    await expect.poll(ledger, { timeout: 30_000 }).toBe(before + 10 - lost.length)
  }
  const contactAt = Date.now()
  await expectRow(page, devices, 'Voucher numbers 7, 23 and 41 not arrived')
  expect(Date.now() - contactAt).toBeLessThan(60_000)
  await expect(tillRow(devices)).not.toContainText('waiting')

  const open = () => devices.getByRole('button', { name: 'Till 2', exact: true }).click()
  const dialog = devices.getByRole('dialog', { name: 'Till 2' })
  await open()
  for (const number of [7, 23, 41])
    await expect(dialog).toContainText(`Till 2 took voucher number ${number} that has not arrived.`)
  await expectAccessibleAndFits(devices)

  await dialog.getByRole('button', { name: 'Give a reason for number 23' }).click()
  const closing = devices.getByRole('dialog', { name: 'Close number 23 of Till 2' })
  await expect(closing.getByLabel('Reason')).toBeFocused()
  await devices.keyboard.press('Tab')
  await closing.getByRole('button', { name: 'Close number 23' }).click()
  await expect(closing.getByLabel('Reason')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleAndFits(devices)
  await closing.getByLabel('Reason').fill('The customer has brought it back.')
  await closing.getByRole('button', { name: 'Close number 23' }).click()
  await expect(tillRow(devices)).toContainText('Voucher numbers 7 and 41 not arrived')
  await open()
  await expect(dialog).toContainText('The customer has brought it back.')
  await devices.keyboard.press('Escape')

  await devices.reload()
  await devices.getByRole('button', { name: /^Notices/ }).click()
  await expect(devices.getByRole('dialog')).toContainText('2 vouchers of Till 2 are missing')
  await devices.context().close()
})

test('a missing number is closed with a connection only, and says so', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makeTill(db, await makePosUser(db, merchant), { name: 'Till 2' })
  await makeMissing(db, merchant, till)
  await signIn(page, merchant.main)
  await page.goto('/devices')
  await page.getByRole('button', { name: 'Till 2', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Till 2' })
  await expect(dialog).toContainText('Till 2 took voucher number 47 that has not arrived.')
  await origin.line({ kind: 'refuse' })
  await fireVisibilityChange(page)
  await expect(dialog.getByText('Closing needs a connection.')).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Give a reason for number 47' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expectAccessibleAndFits(page)
})
