import type { Browser, Page } from '@playwright/test'
import { enrolmentLink } from '../../../src/domain/devices/enrolmentLink.ts'
import { logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireOnline, fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import {
  makeEnrolment,
  makeMerchant,
  makePosUser,
  makeVoucher,
  PASSWORD,
  type User,
} from '../../support/database/builders.ts'
import { isRedemption, UPLOADING, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'
import { readQr } from '../accounts/readQr.ts'

async function managerOf(browser: Browser, origin: PortalOrigin) {
  const merchant = await makeMerchant(origin.database.db)
  const cashier = await makePosUser(origin.database.db, merchant)
  const context = await browser.newContext({ baseURL: origin.url })
  const devices = await context.newPage()
  await logIn(devices, merchant.main)
  await devices.goto('/devices')
  await expect(devices.getByRole('heading', { level: 1, name: 'Tills' })).toBeVisible()
  // The button moves once the list is known to be empty.
  await expect(devices.getByText('No tills yet')).toBeVisible()
  return { merchant, cashier, devices }
}

/** Makes a code with the keyboard alone. Returns it, and the link in its QR code. */
async function makeCode(devices: Page, branch: string, name: string) {
  await devices.getByRole('button', { name: 'Add a till' }).focus()
  await devices.keyboard.press('Enter')
  const dialog = devices.getByRole('dialog', { name: 'Add a till' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await devices.keyboard.type(name)
  await dialog.getByLabel('Branch').selectOption({ label: branch })
  await expectAccessibleAndFits(devices)
  await dialog.getByRole('button', { name: 'Make a code' }).press('Enter')
  const told = devices.getByRole('dialog', { name: `Code for ${name}` })
  const code = await told.getByText(/^[0-9A-Z]{4} [0-9A-Z]{4}$/).innerText()
  await expect(told.getByRole('img', { name: 'Code to scan' })).toBeVisible()
  return { code, link: enrolmentLink('', code.replace(' ', '')) }
}

/** Fills in the login that a link leads to. */
async function submitLogin(page: Page, { loginName }: User) {
  await page.getByLabel('Username').fill(loginName)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

const rowOf = (devices: Page, name: string) => devices.getByRole('row').filter({ hasText: name })

async function chooseAction(devices: Page, name: string, action: string) {
  await rowOf(devices, name)
    .getByRole('button', { name: /^Actions/ })
    .click()
  await devices.getByRole('menuitem', { name: action }).click()
}

async function redeemOne(page: Page, origin: PortalOrigin) {
  await verifySerial(page, (await makeVoucher(origin.database.db, { denominationCents: 1000 })).serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await page.getByRole('button', { name: 'Next customer' }).click()
}

/** The portal sends a report each time it opens; the order to remove data comes with the answer to the next one. */
async function reloadUntilLoggedOut(page: Page) {
  await expect(async () => {
    await page.reload()
    await expect(page).toHaveURL(/\/login/, { timeout: 3_000 })
  }).toPass()
}

const storesOfPeople = (page: Page) =>
  page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.startsWith('mp-u-')))

const serialField = (page: Page) => page.getByLabel('Or type the serial number')

test('a new tablet becomes a till by the QR code of its manager, who sees it happen @short', async ({
  page,
  browser,
  origin,
}) => {
  const { merchant, cashier, devices } = await managerOf(browser, origin)
  const { code, link } = await makeCode(devices, merchant.branch.name, 'Till 7')
  await expectAccessibleAndFits(devices)

  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'This device is now Till 7' })).toBeVisible()
  // The code is in no address: not in the bar, and in no request.
  await expect(page).toHaveURL('/enrol')
  expect(asked.filter((url) => url.includes(code.replace(' ', '')))).toEqual([])
  await expect(page.getByRole('main')).toContainText(`Branch: ${merchant.branch.name}.`)
  await expectAccessibleAndFits(page)
  await page.keyboard.press('Enter')
  await submitLogin(page, cashier)
  await expect(serialField(page)).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Till 7 · ')
  await expect(devices.getByRole('dialog', { name: 'Till 7 is enrolled' })).toBeVisible()
  await devices.keyboard.press('Escape')
  await expect(rowOf(devices, 'Till 7')).not.toContainText('Not enrolled')

  // The code works once: another tablet gets an error.
  const other = await browser.newContext({ baseURL: origin.url })
  const second = await other.newPage()
  await second.goto(link)
  await expect(second.getByRole('heading', { name: 'This device is not a till yet' })).toBeVisible()
  await expectAccessibleAndFits(second)
  await expect(second.getByText('was used, or is more than 15 minutes old')).toBeVisible()
  await other.close()
  await devices.context().close()
})

test('a link that is too old says so, and one that is opened offline goes on by itself', async ({ page, origin }) => {
  const { db } = origin.database
  const manager = await makePosUser(db)
  const linkUntil = async (seconds: number) => {
    const { code } = await makeEnrolment(db, manager, new Date(origin.clock.now().getTime() + seconds * 1_000))
    return enrolmentLink('', code)
  }
  await page.goto('/enrol')
  await expect(page.getByRole('heading', { name: 'Scan the QR code again' })).toBeVisible()
  await page.goto(await linkUntil(-1))
  await expect(page.getByText('is more than 15 minutes old')).toBeVisible()

  const link = await linkUntil(600)
  await origin.setConnection({ kind: 'refuse' })
  await page.evaluate((hash) => void (location.hash = hash), new URL(link, origin.url).hash)
  await expect(page.getByRole('heading', { name: 'This device is offline' })).toBeVisible()
  await expectAccessibleAndFits(page)
  await origin.restore()
  await fireOnline(page)
  await expect(page.getByRole('heading', { name: 'This device is now Till 1' })).toBeVisible()

  // Another link asks first, for the device would lose what it is.
  await page.goto(await linkUntil(600))
  await page.getByRole('button', { name: 'Make it another till' }).click()
  await expect(page.getByRole('heading', { name: 'This device is now Till 1' })).toBeVisible()
})

test('the poster of a till is one page of A4 with its code and three steps', async ({ page, browser, origin }) => {
  const { merchant, devices } = await managerOf(browser, origin)
  const { link } = await makeCode(devices, merchant.branch.name, 'Till 7')
  await devices.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const poster = devices.locator('[data-poster]')
  await expect(poster).toContainText(merchant.branch.name)
  await expect(poster).toContainText('Till 7')
  await expect(poster).toContainText(/[0-9A-Z]{4} [0-9A-Z]{4}/)
  await expect(poster.getByRole('listitem', { includeHidden: true })).toHaveCount(3)
  await expect(poster).toContainText(/Works once, until \d\d:\d\d on /)
  await expect(devices.getByRole('dialog', { includeHidden: true })).toBeHidden()
  const pdf = await devices.pdf({ preferCSSPageSize: true })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1)
  expect(await readQr(await poster.locator('svg').screenshot())).toBe(new URL(link, origin.url).href)
  await page.close()
  await devices.context().close()
})

/** Sets the day on which the till was last asked to enrol; without `day` it was not asked yet. */
async function askedOn(page: Page, day?: string) {
  await page.evaluate((codeLater) => {
    const stored = JSON.parse(localStorage.getItem('till-device')!) as object
    localStorage.setItem('till-device', JSON.stringify({ ...stored, codeLater }))
  }, day)
  await page.reload()
}

async function logOutAndIn(page: Page, cashier: User) {
  await page.getByRole('button', { name: 'Logout' }).click()
  await submitLogin(page, cashier)
  await expect(serialField(page)).toBeVisible()
}

test('a till that works already is asked for a code at its next login, and not over a voucher; that can be put off for a day', async ({
  page,
  browser,
  origin,
}) => {
  const { cashier, devices } = await managerOf(browser, origin)
  await logIn(page, cashier)
  const asks = page.getByText('This till is not enrolled.')
  // A user who has just named the till was asked in that dialog.
  await expect(asks).toBeHidden()
  await askedOn(page)
  await logOutAndIn(page, cashier)
  await expect(asks).toBeVisible()
  await expectAccessibleAndFits(page)
  for (const name of ['Enter code', 'Not now'])
    expect((await page.getByRole('button', { name }).boundingBox())!.height).toBeGreaterThanOrEqual(48)

  await verifySerial(page, (await makeVoucher(origin.database.db, { denominationCents: 1000 })).serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expect(asks).toBeHidden()
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(page.getByRole('button', { name: 'Next customer' })).toBeVisible()
  await expect(asks).toBeHidden()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(asks).toBeVisible()

  await page.getByRole('button', { name: 'Not now' }).press('Enter')
  await expect(asks).toBeHidden()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await logOutAndIn(page, cashier)
  await redeemOne(page, origin)
  await expect(serialField(page)).toBeVisible()
  await expect(asks).toBeHidden()
  expect(asked.filter((url) => url.includes('/api/till/') && !url.endsWith('/api/till/sync'))).toEqual([])
  await devices.context().close()
})

test('a till that was asked yesterday is asked again, and is enrolled by the code of its manager', async ({
  page,
  browser,
  origin,
}) => {
  const { cashier, devices } = await managerOf(browser, origin)
  await logIn(page, cashier)
  await askedOn(page, '2020-01-01')
  await page.getByRole('button', { name: 'Enter code' }).click()
  await expectAccessibleAndFits(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(serialField(page)).toBeVisible()
  await expect(page.getByText('This till is not enrolled.')).toBeHidden()

  await devices.reload()
  await chooseAction(devices, 'Till 2', 'Enrol')
  await devices.getByRole('button', { name: 'Make a code' }).click()
  const code = await devices.getByText(/^[0-9A-Z]{4} [0-9A-Z]{4}$/).innerText()
  await askedOn(page, '2020-01-01')
  await page.getByRole('button', { name: 'Enter code' }).click()
  await page.getByLabel('Code').fill('nothing')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Code').fill(code.toLowerCase())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Go to the counter' }).click()
  await expect(serialField(page)).toBeVisible()
  await expect(page.getByText('This till is not enrolled.')).toBeHidden()
  await devices.context().close()
})

test('what comes in after a till was revoked is told, listed and marked, until its manager has reviewed it', async ({
  page,
  browser,
  origin,
}) => {
  const { merchant, cashier, devices } = await managerOf(browser, origin)
  await logIn(page, cashier)
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await devices.reload()
  await chooseAction(devices, 'Till 2', 'Revoke')
  await devices.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(devices.getByText('Till 2 takes no more vouchers')).toBeVisible()
  await origin.restore()
  await fireVisibilityChange(page)
  await expect(verdict(page, 'Redeemed')).toBeVisible()

  await devices.reload()
  await devices.getByRole('button', { name: 'Notices, 1 new' }).click()
  const notices = devices.getByRole('dialog', { name: 'Notices' })
  await expect(notices).toContainText('Till 2: 1 late upload to review, $10.00')
  await expect(notices).toContainText(`${merchant.branch.name}. Redemptions that a revoked till uploads`)
  await expectAccessibleAndFits(devices)
  await notices.getByRole('link', { name: 'View: Till 2' }).click()
  await expect(devices.getByLabel('Needs attention', { exact: true })).toHaveValue('to review')

  await devices.getByRole('button', { name: 'Till 2', exact: true }).press('Enter')
  const dialog = devices.getByRole('dialog', { name: 'Till 2' })
  await expect(dialog.getByText('1 late upload')).toHaveCount(1)
  await expect(dialog).toContainText('1 late upload to review, $10.00')
  await expectAccessibleAndFits(devices)
  await dialog.getByRole('link', { name: 'Show the vouchers' }).press('Enter')
  await expect(devices.getByLabel('Uploaded', { exact: true })).toHaveValue(/^[\da-f-]{36}$/)
  const serial = devices.getByRole('table').getByRole('link')
  await expect(serial).toHaveCount(1)
  await expectAccessibleAndFits(devices)
  await serial.press('Enter')
  const detail = devices.getByRole('dialog')
  await expect(detail).toContainText('Uploaded after its till was revoked. Not reviewed yet.')
  await expectAccessibleAndFits(devices)

  await devices.goto('/devices?filter=%7B%22state%22%3A%22to+review%22%7D')
  await devices.getByRole('button', { name: 'Till 2', exact: true }).press('Enter')
  await dialog.getByRole('button', { name: 'Mark as reviewed' }).press('Enter')
  await expect(dialog).toContainText(`by ${merchant.main.loginName}`)
  await expect(dialog.getByRole('button', { name: 'Mark as reviewed' })).toBeHidden()
  await expectAccessibleAndFits(devices)
  await devices.keyboard.press('Escape')
  await expect(devices.getByText('No till matches')).toBeVisible()
  await devices.reload()
  await expect(devices.getByRole('button', { name: 'Notices', exact: true })).toBeVisible()
  await devices.context().close()
})

test('a revoked till takes no more vouchers, uploads what it has, and removes what it stores @short', async ({
  page,
  browser,
  origin,
}) => {
  const { cashier, devices } = await managerOf(browser, origin)
  const { db } = origin.database
  await logIn(page, cashier)
  const voucher = await makeVoucher(db, { denominationCents: 1000 })
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()

  await devices.reload()
  await chooseAction(devices, 'Till 2', 'Revoke')
  await expectAccessibleAndFits(devices)
  await devices.getByRole('button', { name: 'Revoke and remove' }).click()
  await expect(rowOf(devices, 'Till 2')).toContainText(/Revoked|Removal requested|waiting/)

  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, (await makeVoucher(db)).serial)
  await expect(page.getByText('This till was revoked.')).toBeVisible()
  // Nothing is removed while a voucher waits, however often the order comes.
  await fireVisibilityChange(page)
  expect(await storesOfPeople(page)).toHaveLength(1)

  await origin.restore()
  await reloadUntilLoggedOut(page)
  await expect.poll(() => storesOfPeople(page)).toEqual([])
  await expect(async () => {
    await fireVisibilityChange(page)
    await devices.reload()
    await devices.getByRole('button', { name: 'Till 2', exact: true }).click()
    const dialog = devices.getByRole('dialog', { name: 'Till 2' })
    await expect(dialog).toContainText('1 late upload to review, $10.00', { timeout: 2_000 })
    await expect(dialog).toContainText('Removed ', { timeout: 2_000 })
  }).toPass()
  await expectAccessibleAndFits(devices)
  await devices.context().close()
})

testWithWorker(
  'a removal that ended with the battery goes on when the till starts again, before anybody logs in',
  async ({ page, browser, origin }) => {
    const { cashier, devices } = await managerOf(browser, origin)
    // The removal asks for the databases first once the user is logged out; this request never ends.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('battery is dead')) indexedDB.databases = () => new Promise(() => undefined)
    })
    await logIn(page, cashier)
    await redeemOne(page, origin)
    await devices.reload()
    await chooseAction(devices, 'Till 2', 'Revoke')
    await devices.getByRole('button', { name: 'Revoke and remove' }).click()
    await expect(rowOf(devices, 'Till 2')).toContainText(/Revoked|Removal requested/)

    await page.evaluate(() => sessionStorage.setItem('battery is dead', 'yes'))
    await reloadUntilLoggedOut(page)
    await page.evaluate(() => sessionStorage.clear())
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByLabel('Username')).toBeVisible()
    await expect.poll(() => storesOfPeople(page)).toEqual([])
    await devices.context().close()
  },
)
