import type { Page, Request } from '@playwright/test'
import { addDays, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { fillLogin, readyOffline, scan, logIn } from '../../support/accounts/logIn.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { followAnnouncements } from '../../support/browser/announcements.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireOnline, fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import {
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeSerial,
  makeUser,
  makeVoucher,
  PASSWORD,
} from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import {
  askForPin,
  inTray,
  isRedemption,
  ledgerRows,
  sentRedemptions,
  sentRows,
  logInAtCounter,
  UPLOADING,
  verdict,
  verifySerial,
  WILL_UPLOAD,
} from '../../support/redemptions/counterPage.ts'

const idsOf = (origin: PortalOrigin) => sentRedemptions(origin).map(({ id }) => id)

test('a typed serial is shown with its worth, confirmed, and receipted @short', async ({ page, origin }) => {
  const { voucher } = await logInAtCounter(page, origin)
  const said = await followAnnouncements(page)
  await verifySerial(page, formatSerial(voucher.serial))
  await expect(inTray(page, 'Good')).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(page.getByRole('main').getByText('Take $10.00 off the bill.')).toBeVisible()
  await expect(page.getByText(/^R-\d{6}/)).toBeVisible()
  await expect(page.getByText('Strike a paper voucher through.')).toBeVisible()
  const mistake = page.getByText(/^Carry on with the next customer\. A mistake can be voided until \d\d:\d\d\.$/)
  await expect(mistake).toBeHidden()
  await page.getByRole('button', { name: 'More', expanded: false }).press('Enter')
  await expect(mistake).toBeVisible()
  await page.getByRole('button', { name: 'More', expanded: true }).click()
  await expect(page.getByText('What happened')).toBeHidden()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  const next = page.getByRole('button', { name: 'Next customer' })
  // The live region has said it.
  await expect(next).toHaveAccessibleDescription('')
  await next.click()
  await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Scan a voucher' })).toBeFocused()
  expectSaidOnce(await said(), ['Good. $10.00.', 'Redeemed. Take $10.00 off the bill.'])
})

test('a check and a redemption are one call each, of at most 3.5 kilobytes there and back', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  const [checked, redeemed] = ['voucher/verify', 'till/sync'].map((call) => page.waitForRequest(`**/${call}`))
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(page.getByText(/^R-\d{6}/)).toBeVisible()
  const sizes = await Promise.all([checked!, redeemed!].map(async (request) => bytesOf(await request)))
  for (const bytes of sizes) expect(bytes).toBeLessThan(BYTES_OF_A_CALL)
})

/** Includes the HTTP/1.1 headers. */
const BYTES_OF_A_CALL = 3_584

async function bytesOf(request: Request): Promise<number> {
  const { requestHeadersSize, requestBodySize, responseHeadersSize, responseBodySize } = await request.sizes()
  return requestHeadersSize + requestBodySize + responseHeadersSize + responseBodySize
}

/** Expects each verdict once and within a second, and no other announcement. */
function expectSaidOnce(said: Awaited<ReturnType<Awaited<ReturnType<typeof followAnnouncements>>>>, texts: string[]) {
  expect(said.map(({ text }) => text)).toEqual(texts)
  for (const { after } of said) expect(after).toBeLessThan(1_000)
}

test('a cashier’s password older than a year is asked about between two customers only, and changed there', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const till = await makePosUser(db)
  await db.execute(`UPDATE app_user SET password_changed_at = now() - interval '366 days' WHERE id = '${till.id}'`)
  const [first, second] = [await makeVoucher(db, { denominationCents: 1000 }), await makeVoucher(db)]
  const prompt = page.getByText('Your password is more than one year old.')
  await logIn(page, till)
  await verifySerial(page, first.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expect(prompt).toHaveCount(0)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(prompt).toHaveCount(0)
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(prompt).toBeVisible()
  await expectNoAxeViolations(page)

  await verifySerial(page, second.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await expect(prompt).toHaveCount(0)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await dialog.getByLabel('New password', { exact: true }).fill('Other-Horse-2027!')
  await dialog.getByLabel('Repeat new password').fill('Other-Horse-2027!')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed. Other devices were logged out.')).toBeVisible()
  await expect(prompt).toHaveCount(0)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
})

test('a hand scanner works anywhere on the screen, with the keyboard alone to the receipt', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  await page.getByText('Tampines').or(page.getByRole('banner')).first().click()
  await scan(page, `HRP1.${voucher.serial}`, inTray(page, 'Good'))
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next customer' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
})

test('a double tap redeems once, under one key @short', async ({ page, origin }) => {
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).dblclick()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(sentRedemptions(origin)).toHaveLength(1)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
})

test('used, expired, revoked and unknown vouchers each get their own answer, and take nothing @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { till } = await logInAtCounter(page, origin)
  const used = (await makeRedemption(db, till, '2026-10-01')).voucher
  const cases = [
    { serial: used.serial, word: 'Already used' },
    { serial: (await makeVoucher(db, { expiresOn: '2026-01-31' })).serial, word: 'Expired' },
    { serial: (await makeVoucher(db, { status: 'Revoked' })).serial, word: 'Revoked' },
    { serial: makeSerial(), word: 'Unknown voucher' },
    { serial: makeSerial(), word: 'Unknown voucher' },
  ]
  const said = await followAnnouncements(page)
  for (const { serial, word } of cases) {
    await verifySerial(page, serial)
    await expect(inTray(page, word)).toBeVisible()
    await expect(page.getByRole('main').getByText('Take nothing off the bill.')).toBeVisible()
    await page.getByRole('button', { name: 'Next customer' }).click()
  }
  expect(sentRedemptions(origin)).toHaveLength(0)
  expectSaidOnce(
    await said(),
    cases.map(({ word }) => `${word}. Take nothing off the bill.`),
  )
})

test('a mistyped serial is caught at the field, before the server is asked', async ({ page, origin }) => {
  const { voucher } = await logInAtCounter(page, origin)
  const last = (Number(voucher.serial.at(-1)) + 1) % 10
  await verifySerial(page, voucher.serial.slice(0, 12) + last)
  await expect(page.getByText('Check the number: it has a wrong digit.')).toBeVisible()
  await expect(page.getByLabel('Or type the serial number')).toHaveValue(
    formatSerial(voucher.serial.slice(0, 12) + last),
  )
  expect(origin.sent('POST', '/api/voucher/verify')).toHaveLength(0)
})

test('a scan that was misread, or is of no voucher, says to scan again, and nothing is sent @short', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  const said = await followAnnouncements(page)
  const last = (Number(voucher.serial.at(-1)) + 1) % 10
  await scan(page, voucher.serial.slice(0, 12) + last, inTray(page, 'Could not be read'))
  await expect(page.getByRole('main').getByText('Scan again or type the number.')).toBeVisible()
  await expectNoAxeViolations(page)
  await scan(page, '4006381333931', inTray(page, 'Not a voucher of this programme'))
  await expect(page.getByRole('main').getByText('Scan the code on the voucher.')).toBeVisible()
  await scan(page, 'https://example.sg/menu', inTray(page, 'Not a voucher of this programme'))
  // More characters than a serial has: two codes ran into one.
  await scan(page, `HRP1.${voucher.serial}${voucher.serial}`, inTray(page, 'Could not be read'))
  expect(origin.sent('POST', '/api/voucher/verify')).toHaveLength(0)
  const texts = async () => (await said()).map(({ text }) => text)
  // The verdict is drawn before it is announced.
  await expect
    .poll(texts)
    .toEqual([
      'Could not be read. Scan again or type the number.',
      'Not a voucher of this programme. Scan the code on the voucher.',
      'Not a voucher of this programme. Scan the code on the voucher.',
      'Could not be read. Scan again or type the number.',
    ])
  await scan(page, voucher.serial, inTray(page, 'Good'))
})

test('a voucher that one till has checked is on hold for every other, until it is let go @short', async ({
  page,
  origin,
  browser,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  const other = await makePosUser(origin.database.db, till)
  const context = await browser.newContext({ baseURL: origin.url })
  const second = await context.newPage()
  await logIn(second, other)
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await verifySerial(second, voucher.serial)
  await expect(inTray(second, 'On hold')).toBeVisible()
  await expect(second.getByRole('main').getByText('Wait: another till has it.')).toBeVisible()
  await expect(inTray(second, 'On hold')).toHaveAttribute('data-tone', 'on hold')
  await expectNoAxeViolations(second)
  await expect(second.getByText(/On hold at Till 2 since \d\d:\d\d/)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await expect.poll(() => sentRows(origin, 'cancelled').map(({ status }) => status)).toEqual([200])
  await second.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(second, voucher.serial)
  await expect(inTray(second, 'Good')).toBeVisible()
  await context.close()
})

testWithWorker(
  'without a connection nothing is taken, and the cashier is told why, and what to say and do @short',
  async ({ page, origin }) => {
    const { voucher } = await logInAtCounter(page, origin)
    const header = page.getByRole('banner')
    const said = page.getByRole('main')
    const login = page.getByRole('link', { name: 'Open the Wi-Fi login in a new tab' })
    // Before that the decoder is loaded over the connection, and logs an error when that is cut.
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await verifySerial(page, voucher.serial)
    await expect(inTray(page, 'Cannot be checked now')).toBeVisible()
    await expect(said.getByText('Ask for another way to pay. The voucher stays valid.')).toBeVisible()
    await expect(said.getByText('Our service cannot be reached, so it was not checked.')).toBeVisible()
    await expect(header.getByText('No answer', { exact: true })).toBeVisible()
    await expect(login).toHaveCount(0)
    await origin.setConnection({ kind: 'captive' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(said.getByText('The shop’s Wi-Fi wants a login, so it was not checked.')).toBeVisible()
    await expect(header.getByText('Wi-Fi login', { exact: true })).toBeVisible()
    await expect(login).toHaveAttribute('href', /^http:/)
    await expectNoAxeViolations(page)
    await origin.setConnection({ kind: 'up' })
    await fireOnline(page)
    await expect(login).toHaveCount(0)
    await expect(said.getByText('The check was not answered. Nothing was redeemed.')).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(inTray(page, 'Good')).toBeVisible()
  },
)

test('a lost answer is Redeemed – uploading, then Redeemed, once and under the same id @short', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  const said = await followAnnouncements(page)
  await verifySerial(page, voucher.serial)
  // Repeated, because Chromium itself resends a request whose kept-alive connection died before a byte came back, even a POST.
  void origin.loseAnswer(isRedemption, 1_000)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expect.poll(() => sentRedemptions(origin).length).toBeGreaterThan(0)
  await origin.restore()
  await expect(verdict(page, 'Redeemed')).toBeVisible({ timeout: 20_000 })
  expect(new Set(idsOf(origin)).size).toBe(1)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  const verdicts = (await said()).filter(({ text }) => text.includes('Redeemed'))
  expectSaidOnce(verdicts, [`${WILL_UPLOAD}. Take $10.00 off the bill.`, 'Redeemed. Take $10.00 off the bill.'])
})

testWithWorker(
  'a connection that drops before the tap changes nothing for the customer, and the device uploads after a restart @short',
  async ({ page, origin }) => {
    const { voucher } = await logInAtCounter(page, origin)
    await readyOffline(page)
    await verifySerial(page, voucher.serial)
    await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
    await origin.setConnection({ kind: 'refuse' })
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, WILL_UPLOAD)).toBeVisible()
    await expect(page.getByRole('main').getByText('Take $10.00 off the bill.')).toBeVisible()
    expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
    await page.reload()
    await expect(page.getByText('1 voucher, $10.00, waits for the connection. Keep this device on.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload now' })).toHaveCount(0)
    await origin.setConnection({ kind: 'up' })
    await fireVisibilityChange(page)
    await expect(page.getByText(/^Uploaded\. Receipt R-\d{6}$/)).toBeVisible()
    await expect(page.getByText('Keep this device on.')).toHaveCount(0)
    await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
    expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  },
)

testWithWorker(
  'what was taken is uploaded with nobody logged in, and credited to who took it @short',
  async ({ page, origin }) => {
    const { voucher, till } = await logInAtCounter(page, origin)
    await readyOffline(page)
    await verifySerial(page, voucher.serial)
    await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
    await origin.setConnection({ kind: 'refuse' })
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, WILL_UPLOAD)).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    const waits = page.getByText('1 voucher, $10.00, waits to be uploaded. Keep this device on.')
    await expect(waits).toBeVisible()
    await origin.setConnection({ kind: 'up' })
    await page.reload()
    await expect
      .poll(async () => (await ledgerRows(origin, voucher.id)).map(({ posUserId }) => posUserId))
      .toEqual([till.id])
    await expect(waits).toHaveCount(0)
  },
)

test('a hold that the merchant released meanwhile is a refused upload, shown until somebody has seen it @short', async ({
  page,
  origin,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  const merchant = await loggedInClient(origin.ask, await makeUser(origin.database.db, 'HRP Merchant', till))
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  const [held] = await rowsOf<{ since: string }>(origin.database.db, 'hold', { voucherId: voucher.id })
  const body = { guid: voucher.id, since: new Date(held!.since).toISOString() }
  expect(await merchant.post('/voucher/release', body)).toMatchObject({ status: 200 })
  await origin.setConnection({ kind: 'up' })
  await expect(verdict(page, 'Refused after upload')).toBeVisible({ timeout: 40_000 })
  await expect(page.getByRole('main').getByText('Do not take $10.00 off the bill.')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByText(/\$10\.00 was refused after upload/)).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Mark as seen' }).click()
  await expect(page.getByText(/was refused after upload/)).toHaveCount(0)
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('row', { name: /Refused after upload/ })).toContainText(formatSerial(voucher.serial))
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
})

test('a page that is loaded anew has its voucher in hand again, and at the logout it is let go @short', async ({
  page,
  context,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  const redeem = page.getByRole('button', { name: 'Redeem $10.00' })
  const cancels = () => sentRows(origin, 'cancelled').map(({ status }) => status)
  await expect(page.locator('html'), 'a thumb that pulls loads nothing anew').toHaveCSS(
    'overscroll-behavior-y',
    'contain',
  )
  await verifySerial(page, voucher.serial)
  await expect(redeem).toBeVisible()
  const second = await context.newPage()
  await second.goto('/redeem')
  await expect(second.getByLabel('Or type the serial number')).toBeVisible()
  // A counter that has just started adopts the vouchers that another page of its cashier left, and could do so during this page's reload.
  await second.waitForLoadState('networkidle')
  await page.reload()
  await expect(redeem).toBeVisible()
  expect(cancels()).toEqual([])
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect.poll(cancels).toEqual([200])
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
})

test('at midnight in Singapore the day’s figures begin anew, and the verdict stays until somebody has read it', async ({
  page,
  origin,
}) => {
  const midnight = startOfDay(addDays(singaporeDay(new Date()), 1)).getTime()
  const time = midnight - 2 * 60_000
  origin.clock.advance(time - Date.now())
  await page.clock.install({ time })
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.clock.runFor('03:00')
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByRole('heading', { name: 'Today 0 vouchers, $0.00' })).toBeVisible()
})

test('ten minutes bind the device: then the voucher is let go, and nothing is taken @short', async ({
  page,
  origin,
}) => {
  await page.clock.install()
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await page.clock.runFor('10:01')
  await expect(inTray(page, 'Cannot be checked now')).toBeVisible()
  await expect(page.getByText('The ten minutes for this voucher are over')).toBeVisible()
  await expect.poll(() => sentRows(origin, 'cancelled').length).toBeGreaterThan(0)
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(0)
})

test('a second scan of what this device took is caught here, and a void gives the voucher back @short', async ({
  page,
  origin,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Already used')).toBeVisible()
  await expect(
    page.getByText(new RegExp(`This till redeemed it at .*, by ${till.loginName}, receipt R-`)),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await page.getByRole('link', { name: 'My day' }).click()
  await page.getByRole('button', { name: 'Void' }).click()
  await page.getByRole('button', { name: 'Void redemption' }).click()
  await expect(page.getByText('Redemption voided')).toBeVisible()
  await expect(page.getByRole('row', { name: /Voided/ })).toBeVisible()
  await page.getByRole('button', { name: /^Receipt of/ }).click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText(/Voided \d+ \w+ \d{4}, \d\d:\d\d/)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Counter' }).click()
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
})

test('one device with two tabs holds a voucher once @short', async ({ page, context, origin }) => {
  const { voucher } = await logInAtCounter(page, origin)
  const second = await context.newPage()
  await second.goto('/redeem')
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await verifySerial(second, voucher.serial)
  await expect(inTray(second, 'On hold')).toBeVisible()
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await second.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(second, voucher.serial)
  await expect(inTray(second, 'Already used')).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
})

test('where the merchant asks for the PIN of the branch, each voucher is checked with it', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await askForPin(origin, merchant, '104482')
  const till = await makePosUser(db, merchant)
  const voucher = await makeVoucher(db, { denominationCents: 1000 })
  await logIn(page, till)
  await verifySerial(page, voucher.serial)
  // A browser takes a password field for a login: it fills it in, and offers to save the PIN.
  await expect(page.locator('input[type=password]')).toHaveCount(0)
  await expect(page.getByLabel('Branch PIN')).toHaveCSS('-webkit-text-security', 'disc')
  await page.setViewportSize({ width: 390, height: 844 })
  // A phone's keyboard does not appear while a scanner is paired.
  await expect(page.getByRole('button', { name: '1', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Show keypad' }).click()
  for (const digit of '104481') await page.getByRole('button', { name: digit, exact: true }).click()
  await page.getByRole('button', { name: 'Check voucher' }).click()
  await expect(page.getByText('The PIN is incorrect. Nothing was redeemed.')).toBeVisible()
  await page.getByLabel('Branch PIN').fill('104482')
  await page.getByRole('button', { name: 'Check voucher' }).click()
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByRole('button', { name: '1', exact: true }), 'it is shown from then on').toBeVisible()
})

test('a bill of three vouchers takes three scans, the amount and one tap, and one receipt has them all @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { voucher, till } = await logInAtCounter(page, origin)
  const more = await makeVoucher(db, { denominationCents: 500 })
  const last = await makeVoucher(db, { denominationCents: 1000 })
  const used = (await makeRedemption(db, till, '2026-10-01')).voucher
  const bill = page.getByLabel('Bill', { exact: true })
  const main = page.getByRole('main')
  const taps = await countTaps(page)
  await scan(page, voucher.serial, inTray(page, 'Good'))
  await scan(page, more.serial, page.getByRole('button', { name: 'Redeem 2 vouchers, $15.00' }))
  await scan(page, used.serial, inTray(page, 'Already used'))
  await scan(page, last.serial, page.getByRole('button', { name: 'Redeem 3 vouchers, $25.00' }))
  // The same voucher again does not count twice.
  await scan(page, more.serial, page.locator('[data-again="1"]'))
  await expect(inTray(page, 'Good')).toHaveCount(3)
  await expect(bill).toHaveAttribute('inputmode', 'decimal')
  await bill.fill('27.4o')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The bill must be an amount such as 32.50')).toBeVisible()
  await bill.fill('27.40')
  await expect(main.getByText('Still to pay$2.40')).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Redeem 3 vouchers, $25.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(taps()).toBe(1)
  await expect(main.getByText('Take $25.00 off the bill.')).toBeVisible()
  await expect(main.getByText('Your 3 vouchers, $25.00, have been accepted.')).toBeVisible()
  const lines = page.getByRole('list', { name: 'Vouchers of this receipt' }).getByRole('listitem')
  await expect(lines).toHaveCount(3)
  await expect(lines.getByText(/^R-\d{6}$/)).toHaveCount(3)
  await page.getByRole('button', { name: 'More' }).click()
  await expect(main.getByText('3 vouchers were redeemed, and each has a receipt.')).toBeVisible()
  const calls = origin.sent('POST', '/api/till/sync').filter(isRedemption)
  expect(calls, 'one act is one call').toHaveLength(1)
  await expectNoAxeViolations(page)

  // The cashier voids one of them.
  await lines.nth(1).getByRole('button', { name: 'Void' }).click()
  await page.getByRole('button', { name: 'Void redemption' }).click()
  await expect(main.getByText('Take only $20.00 off the bill.')).toBeVisible()
  await expect(lines.nth(1)).toContainText('Voided')
  await page.getByRole('region', { name: 'What next' }).getByRole('button', { name: 'Receipt' }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  for (const { serial } of [voucher, last]) await expect(receipt).toContainText(formatSerial(serial))
  await expect(receipt).not.toContainText(formatSerial(more.serial))
  await expect(receipt).toContainText('Vouchers2 vouchers, $20.00')
  await expect(receipt).toContainText('Still to pay$7.40')
  await receipt.getByRole('button', { name: 'Close' }).click()
  await lines.nth(2).getByRole('button', { name: 'Void' }).click()
  await page.getByRole('button', { name: 'Void redemption' }).click()
  await expect(main.getByText('Your $10.00 voucher has been accepted.')).toBeVisible()
  // A scan after a verdict begins the next customer's tray.
  await scan(page, more.serial, inTray(page, 'Good'))
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(bill).toHaveValue('')
})

test('what the bill does not need is left out and given back @short', async ({ page, origin }) => {
  const { db } = origin.database
  const { voucher } = await logInAtCounter(page, origin)
  const second = await makeVoucher(db, { denominationCents: 1000 })
  const bill = page.getByLabel('Bill', { exact: true })
  await scan(page, voucher.serial, inTray(page, 'Good'))
  await scan(page, second.serial, page.getByRole('button', { name: 'Redeem 2 vouchers, $20.00' }))
  await bill.fill('5')
  await expect(inTray(page, 'Not needed')).toContainText(formatSerial(second.serial))
  await expect(page.getByText('The customer loses $5.00: no change is given.')).toBeVisible()
  const act = page.getByRole('button', { name: 'Redeem $10.00' })
  await expect(act).toBeInViewport()
  // After an empty battery, tray and bill are there again, so the cashier does not redeem both by mistake.
  await page.reload()
  await expect(inTray(page, 'Not needed')).toHaveCount(1)
  await expect(bill).toHaveValue('5.00')
  await act.click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expect(
    page.getByRole('main').getByText('Take $5.00 off the bill. The customer loses $5.00: no change is given.'),
  ).toBeVisible()
  await expect.poll(() => sentRows(origin, 'cancelled').map(({ status }) => status)).toEqual([200])
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  const ledger = await Promise.all([voucher, second].map(async ({ id }) => (await ledgerRows(origin, id)).length))
  expect(ledger.reduce((sum, count) => sum + count)).toBe(1)
})

test('the trays of two cashiers on one device stay apart, and a logout gives back what is in hand @short', async ({
  page,
  origin,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  const next = await makePosUser(origin.database.db, till)
  await verifySerial(page, voucher.serial)
  await page.getByLabel('Bill', { exact: true }).fill('40')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(() => sentRows(origin, 'cancelled').map(({ status }) => status)).toEqual([200])
  await fillLogin(page, next)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await expect(page.getByLabel('Bill', { exact: true })).toHaveValue('')
})

test('today is the same number at the counter, in My day and on the printed summary, on every till of a cashier', async ({
  page,
  origin,
  browser,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()

  const other = await browser.newContext({ baseURL: origin.url })
  const second = await other.newPage()
  await second.goto('/login?as=pos')
  await fillLogin(second, till)
  const more = await makeVoucher(origin.database.db, { denominationCents: 2_000 })
  await verifySerial(second, more.serial)
  await second.getByRole('button', { name: 'Redeem $20.00' }).click()
  await expect(verdict(second, 'Redeemed')).toBeVisible()
  await second.getByRole('button', { name: 'Next customer' }).click()
  const today = second.getByRole('region', { name: 'Today 2 vouchers, $30.00' })
  await expect(today).toContainText(`${till.loginName}, all tills`)
  await second.getByRole('link', { name: 'My day' }).click()
  await expect(second.getByText('Today$30.002 vouchers')).toBeVisible()
  await expect(second.getByText(/, all tills\./)).toBeVisible()
  await second.emulateMedia({ media: 'print' })
  const paper = second.getByRole('main')
  for (const line of [till.organisation.name, 'Shift summary', 'Total2 vouchers, $30.00', 'Voided0 vouchers, $0.00']) {
    await expect(paper.getByText(line).last()).toBeVisible()
  }
  await expect(second.getByRole('heading', { name: 'My day', includeHidden: true })).toBeHidden()
  await expect(second.getByRole('button')).toHaveCount(0)
  await second.emulateMedia({ media: 'screen' })

  await origin.setConnection({ kind: 'refuse' })
  await second.getByRole('link', { name: 'Counter' }).click()
  await expect(today).toContainText(new RegExp(`${till.loginName}, other tills as of \\d\\d:\\d\\d`))
  await other.close()
})

test('a receipt is shown and printed, and the word can be turned to the customer', async ({ page, origin }) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Show customer' }).click()
  const turned = page.getByRole('dialog', { name: 'For the customer' })
  await expect(turned).toContainText('Your $10.00 voucher has been accepted.')
  await expectNoAxeViolations(page)
  // The customer may hold the device: only these two buttons can be pressed.
  await expect(turned.getByRole('button')).toHaveText(['Turn', 'Back to the till'])
  const sentence = turned.getByText('Your $10.00 voucher has been accepted.').locator('..')
  await expect(sentence).toHaveCSS('rotate', '180deg')
  await page.keyboard.press('Tab')
  await expect(turned.getByRole('button', { name: 'Turn' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(sentence).toHaveCSS('rotate', 'none')
  await page.keyboard.press('Tab')
  await expect(turned.getByRole('button', { name: 'Back to the till' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(turned).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Show customer' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Void this redemption' })).toHaveCount(0)
  // The device remembers its rotation.
  await page.keyboard.press('Enter')
  await expect(sentence).toHaveCSS('rotate', 'none')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Receipt' }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  const { height } = (await receipt.getByRole('button', { name: 'Close' }).boundingBox())!
  expect(height, 'a dialog has the size of the counter').toBeGreaterThanOrEqual(48)
  await expect(receipt).toHaveCSS('font-size', '16px')
  await expect(receipt).toContainText(till.organisation.name)
  await expect(receipt).toContainText(till.branch.name)
  await expect(receipt).toContainText(till.loginName)
  await expect(receipt).toContainText('Till 2')
  await expect(receipt).toContainText(/R-\d{6}/)
  await page.emulateMedia({ media: 'print' })
  await expect(receipt.getByText('$10.00')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden()
  await expect(receipt.getByRole('button', { name: 'Print' })).toBeHidden()
})

testWithWorker(
  'the till has a database at the counter, and nobody else gets one',
  async ({ page, origin, browser }) => {
    const databases = (of: Page) => of.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    const { main } = await makeMerchant(origin.database.db)
    await logIn(page, main)
    await expect.poll(() => databases(page)).toContainEqual(expect.stringMatching(/^mp-u-/))
    await readyOffline(page)
    await page.reload()
    await expect.poll(() => origin.sent('GET', '/api/account/my_info').length).toBeGreaterThan(1)
    expect(await databases(page)).not.toContain('till')
    const context = await browser.newContext({ baseURL: origin.url })
    const counter = await context.newPage()
    await logInAtCounter(counter, origin)
    await expect.poll(() => databases(counter)).toContain('till')
    await context.close()
  },
)

test('a digit stays that is typed while the screen waits to be drawn anew', async ({ page, origin }) => {
  const DAY = 24 * 60 * 60_000
  const untilMidnight = DAY - ((origin.clock.now().getTime() + 8 * 60 * 60_000) % DAY)
  origin.clock.advance(DAY + untilMidnight - 30_000)
  await page.clock.install({ time: origin.clock.now() })
  await page.addInitScript(() => {
    // React posts an empty message to get time for drawing updates that are not urgent. A slow machine gives it late.
    const { postMessage } = MessagePort.prototype
    let isSlow = false
    MessagePort.prototype.postMessage = function post(this: MessagePort, ...message: [unknown]) {
      if (!isSlow || message[0] !== null) postMessage.apply(this, message)
    }
    addEventListener('slow', () => (isSlow = true))
  })
  await logInAtCounter(page, origin)
  const field = page.getByLabel('Or type the serial number')
  await field.focus()
  await page.evaluate(() => void dispatchEvent(new Event('slow')))
  // The counter shows the next day.
  await page.clock.fastForward(60_000)
  await page.keyboard.type('2')
  await expect(field).toHaveValue('2')
})
