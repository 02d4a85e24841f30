import type { Page } from '@playwright/test'
import { readyOffline, scan, logIn } from '../../support/accounts/logIn.ts'
import { followAnnouncements } from '../../support/browser/announcements.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expectShippable } from '../../support/browser/everyWidth.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makePosUser } from '../../support/database/builders.ts'
import { storedRows } from '../../support/devices/storage.ts'
import { inTray, logInAtCounter, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'

const press = (page: Page, paper: string) => page.getByRole('button', { name: paper }).click()

const start = async (page: Page) => {
  await page.getByRole('link', { name: 'Practise' }).click()
  await expect(strip(page)).toBeVisible()
}

/** The strip that every screen of practice has, and no other screen. */
const strip = (page: Page) =>
  page.locator('[data-practice]').getByText('Practice: nothing is redeemed', { exact: true })

const end = async (page: Page) => {
  await page.getByRole('link', { name: 'End practice' }).click()
  await expect(page.getByRole('region', { name: 'Camera' })).toBeVisible()
  await expect(strip(page)).toBeHidden()
}

/** Checks that neither the server nor the device's database has a record of a voucher. */
async function expectNothingDone(page: Page, origin: PortalOrigin) {
  for (const call of ['voucher/verify', 'till/sync']) expect(origin.sent('POST', `/api/${call}`)).toEqual([])
  expect(await storedRows(page, 'till', 'vouchers')).toEqual([])
}

test('a newcomer practises a redemption and its void in a few taps, and the counter has none of it @short', async ({
  page,
  origin,
}) => {
  await logInAtCounter(page, origin)
  const taps = await countTaps(page)
  await start(page)
  await press(page, 'Good $10.00')
  // As after a scan.
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeFocused()
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(taps()).toBe(3)
  await expect(strip(page)).toBeVisible()
  await expect(page.getByText('P-000001')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt' }).click()
  await expect(page.getByRole('dialog', { name: 'Receipt' }).getByText('Practice. No voucher.')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Void this redemption' }).click()
  await page.getByRole('button', { name: 'Void redemption' }).click()
  await expect(verdict(page, 'Voided')).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  // The voucher can be used again.
  await press(page, 'Good $10.00')
  await expect(inTray(page, 'Good')).toBeVisible()
  await expectNothingDone(page, origin)
  await end(page)
  await expect(page.getByText('Today 0 vouchers, $0.00')).toBeVisible()
  await expect(page.getByText('Scan a voucher')).toBeFocused()
  await expectNothingDone(page, origin)
})

const BAD = [
  ['Used', 'Already used'],
  ['Expired', 'Expired'],
  ['On hold', 'On hold'],
  ['No connection', 'Cannot be checked now'],
] as const

test('each bad paper voucher says what the counter says of such a one', async ({ page, origin }) => {
  await logInAtCounter(page, origin)
  const said = await followAnnouncements(page)
  await start(page)
  for (const [paper, word] of BAD) {
    await press(page, paper)
    await expect(inTray(page, word)).toBeVisible()
    await page.getByRole('button', { name: 'Next customer' }).click()
  }
  const texts = (await said()).map(({ text }) => text)
  // Announced together with the title of the page, in one sentence or two.
  expect(texts.join(' ')).toContain('Practice: nothing is redeemed.')
  expect(texts.filter((text) => BAD.some(([, word]) => text.startsWith(word)))).toEqual([
    'Already used. Take nothing off the bill.',
    'Expired. Take nothing off the bill.',
    'On hold. Wait: another till has it.',
    'Cannot be checked now. Ask for another way to pay. The voucher stays valid.',
  ])
  await press(page, 'On hold')
  await expect(inTray(page, 'On hold').getByText(/^ · at the practice till since /)).toBeVisible()
  await page.getByRole('button', { name: 'Show customer' }).click()
  await expect(page.getByRole('dialog', { name: 'For the customer' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'End practice' })).toBeInViewport()
  await expectNothingDone(page, origin)
})

test('a real voucher that is scanned in practice is not asked about, and is good at the counter after it @short', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  await start(page)
  await scan(page, `HRP1.${voucher.serial}`, inTray(page, 'Not a practice voucher'))
  await expect(page.getByRole('main').getByText('It was not checked, and nothing was redeemed.')).toBeVisible()
  await expectNothingDone(page, origin)
  await end(page)
  await scan(page, voucher.serial, inTray(page, 'Good'))
})

test('what a cashier has in hand stays in the tray of the counter, whatever is practised meanwhile @short', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await expect(inTray(page, 'Good')).toBeVisible()
  await page.getByLabel('Bill').fill('12.00')
  await page.getByRole('link', { name: 'My day' }).click()
  await page.getByRole('link', { name: 'Help' }).click()
  await page.getByRole('link', { name: 'Practise at the counter' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await press(page, 'Good $5.00')
  await page.getByRole('button', { name: 'Redeem $5.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await end(page)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await expect(page.getByText('$2.00')).toBeVisible()
  expect((await storedRows(page, 'till', 'vouchers')).map(({ serial, state }) => [serial, state])).toEqual([
    [voucher.serial, 'held'],
  ])
})

test('the counter offers practice until its cashier has redeemed there, and a device without a name does', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Practise' })).toHaveCount(0)
  await page.evaluate(() => localStorage.removeItem('till-device'))
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Name this till' })).toBeVisible()
  await start(page)
  await press(page, 'Good $2.00')
  await expect(page.getByRole('button', { name: 'Redeem $2.00' })).toBeVisible()
})

test('practice fits every screen and works with the keyboard alone', async ({ page, origin }) => {
  test.slow()
  await logInAtCounter(page, origin)
  await start(page)
  await expectShippable(page, 'practice')
  const paper = page.getByRole('button', { name: 'Good $10.00' })
  await paper.press('Enter')
  await expect(inTray(page, 'Good')).toBeVisible()
  await expect(paper).toBeFocused()
  await press(page, 'On hold')
  await expectShippable(page, 'tray of practice')
  await page.getByRole('button', { name: 'Redeem $10.00' }).press('Enter')
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await expectShippable(page, 'verdict of practice')
  await page.getByRole('link', { name: 'End practice' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Camera' })).toBeVisible()
})

testWithWorker('practice needs no connection, from Help to the verdict', async ({ page, origin }) => {
  await logIn(page, await makePosUser(origin.database.db))
  await readyOffline(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.goto('/help')
  await page.getByRole('link', { name: 'Practise at the counter' }).click()
  await press(page, 'Good $10.00')
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.reload()
  await expect(strip(page)).toBeVisible()
  await expectNothingDone(page, origin)
})
