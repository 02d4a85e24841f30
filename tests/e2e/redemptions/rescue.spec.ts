import { readFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { inArray } from 'drizzle-orm'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { rescueParts, readRescueText } from '../../../src/domain/devices/rescueCopies.ts'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits, expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/cameraFixtures.ts'
import { testOnDisk } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeVoucher, type Merchant, type User } from '../../support/database/builders.ts'
import { givePersistence } from '../../support/devices/devicePage.ts'
import { acceptAtRisk, signInWithAllowance } from '../../support/redemptions/allowancePage.ts'
import { isRedemption, ledgerRows, UPLOADING, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'
import { redeemHeld, testTill } from '../../support/redemptions/testTill.ts'

const SAVE = 'Save a rescue copy'

/** Of the merchant's organisation, each in a browser of their own. */
async function openAs(browser: Browser, origin: PortalOrigin, user: User, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin.url, permissions: ['camera'] })
  const page = await context.newPage()
  await signIn(page, user)
  await page.goto(path)
  return page
}

/** `count` vouchers of $10 that this till redeemed, and that could not be uploaded. */
async function takenOffline(page: Page, origin: PortalOrigin, merchant: Merchant, count: number) {
  const { db } = origin.database
  const cashier = await makePosUser(db, merchant)
  const vouchers = await Promise.all(Array.from({ length: count }, () => makeVoucher(db, { denominationCents: 1000 })))
  await signIn(page, cashier)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  await readyOffline(page)
  await hasRescueKey(page)
  await origin.line({ kind: 'refuse' }, isRedemption)
  for (const { serial } of vouchers) {
    await verifySerial(page, serial)
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, UPLOADING)).toBeVisible()
    await page.getByRole('button', { name: 'Next voucher' }).click()
  }
  const ledger = () =>
    db
      .select()
      .from(redemption)
      .where(
        inArray(
          redemption.voucherId,
          vouchers.map(({ id }) => id),
        ),
      )
  return { ledger }
}

const hasRescueKey = (page: Page) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('rescue-keys'))).not.toBeNull()

/** Saves the copy of the page that is open, and gives its text. */
async function savedText(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save as a file' }).click()
  const saved = await download
  expect(saved.suggestedFilename()).toMatch(/^rescue-copy-\d{4}-\d\d-\d\d\.txt$/)
  return readFile(await saved.path(), 'utf8')
}

const fileNamed = (text: string) => ({ name: 'rescue-copy.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })

const openFile = (page: Page, text: string) =>
  page.getByLabel('Rescue copy file', { exact: true }).setInputFiles(fileNamed(text))

const importNow = (page: Page) => page.getByRole('button', { name: /^Import( again)?$/ }).click()

testOnDisk(
  'offline 78: a till with fifteen waiting is destroyed; its copy is imported at another till and in the portal, twice; it comes back @short',
  async ({ openBrowser, browser, origin }) => {
    testOnDisk.slow()
    const before = await openBrowser()
    const page = await before.newPage()
    const merchant = await makeMerchant(origin.database.db)
    const { ledger } = await takenOffline(page, origin, merchant, 15)
    await origin.line({ kind: 'refuse' })
    await page.goto('/settings/device')
    await page.getByRole('link', { name: SAVE }).click()
    await expect(page.getByRole('heading', { name: '15 vouchers, $150.00' })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Code 1 of 4' })).toBeVisible()
    const text = await savedText(page)
    expect(text).toContain('15 vouchers, $150.00')
    expect(await ledger()).toEqual([])
    await before.close()
    await origin.restore()
    expect(await ledger()).toEqual([])

    const otherTill = await openAs(browser, origin, await makePosUser(origin.database.db, merchant), '/settings/device')
    await otherTill.getByRole('link', { name: 'Import a rescue copy' }).click()
    await openFile(otherTill, text)
    await expect(otherTill.getByText('The whole copy has been read.')).toBeVisible()
    await importNow(otherTill)
    await expect(otherTill.getByText('15 vouchers recorded, $150.00.')).toBeVisible()
    await expect(otherTill.getByRole('row')).toHaveCount(16)
    expect(await ledger()).toHaveLength(15)

    const portal = await openAs(browser, origin, merchant.main, '/devices')
    await portal.getByRole('link', { name: 'Import a rescue copy' }).click()
    const codes = rescueParts(readRescueText(text).copies)
    await portal.getByLabel('Or paste its text').fill(codes.toReversed().join('\n'))
    await portal.getByRole('button', { name: 'Add' }).click()
    await expect(portal.getByText('All 4 codes have been read.')).toBeVisible()
    for (let times = 0; times < 2; times += 1) {
      await importNow(portal)
      await expect(portal.getByText('0 vouchers recorded, $0.00. 15 had been recorded before.')).toBeVisible()
    }
    expect(await ledger()).toHaveLength(15)

    const till = await (await openBrowser()).newPage()
    await till.goto('/redeem')
    const uploaded = () => origin.sent('POST', '/api/voucher/upload').some(({ status }) => status === 200)
    await expect(async () => {
      await fireVisibilityChange(till)
      expect(uploaded()).toBe(true)
    }).toPass({ timeout: 40_000 })
    await expect(till.getByText('15 vouchers are uploading')).toBeHidden()
    const receipts = await ledger()
    expect(receipts).toHaveLength(15)
    expect(receipts.every(({ voidedAt }) => voidedAt === null)).toBe(true)
    for (const opened of [otherTill, portal]) await opened.context().close()
  },
)

testOnDisk(
  'offline 90: a till with what it accepted at the shop’s risk is destroyed; its copy is imported twice, and says what is lost @short',
  async ({ openBrowser, browser, origin }) => {
    testOnDisk.slow()
    const { db } = origin.database
    const before = await openBrowser()
    const page = await before.newPage()
    const { cashier } = await signInWithAllowance(page, origin, { till_cents: 5_000 })
    await hasRescueKey(page)
    const used = await makeVoucher(db, { denominationCents: 1_000 })
    const elsewhere = await testTill((path, init) => fetch(origin.url + path, init), await makePosUser(db))
    await redeemHeld((path, init) => fetch(origin.url + path, init), used.serial, await elsewhere.hold(used.serial))
    await origin.line({ kind: 'refuse' })
    const good = await acceptAtRisk(page, origin)
    await page.getByRole('button', { name: 'Next voucher' }).click()
    await acceptAtRisk(page, origin, used)
    await page.goto('/settings/device')
    await page.getByRole('link', { name: SAVE }).click()
    await expect(page.getByRole('heading', { name: '2 vouchers, $20.00' })).toBeVisible()
    await expect(page.getByText('$20.00 of it was accepted at the shop’s risk.').first()).toBeVisible()
    await expectAccessibleAndFits(page, 'the copy of what is at risk')
    const text = await savedText(page)
    expect(text).toContain('Rescue copy of Till 1,')
    await before.close()
    await origin.restore()

    const otherTill = await openAs(browser, origin, await makePosUser(db, cashier), '/settings/device/import')
    await openFile(otherTill, text)
    await importNow(otherTill)
    await expect(otherTill.getByText('1 voucher recorded, $10.00. 1 not recorded.')).toBeVisible()
    await expect(otherTill.getByRole('row').filter({ hasText: 'It was used elsewhere first.' })).toBeVisible()
    await expectAccessibleAndFits(otherTill, 'what became of it')
    await importNow(otherTill)
    await expect(
      otherTill.getByText('0 vouchers recorded, $0.00. 1 had been recorded before. 1 not recorded.'),
    ).toBeVisible()
    expect(await ledgerRows(origin, good.id)).toMatchObject([{ posUserId: cashier.id, amountCents: 1_000 }])
    await otherTill.context().close()
  },
)

test('what uploads and what is at risk stand apart at the counter, and one button saves both, in copies of their own', async ({
  page,
  origin,
}) => {
  await givePersistence(page, false)
  await signInWithAllowance(page, origin)
  await hasRescueKey(page)
  await origin.line({ kind: 'refuse' }, isRedemption)
  const { serial } = await makeVoucher(origin.database.db, { denominationCents: 1_000 })
  await verifySerial(page, serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await page.getByRole('button', { name: 'Next voucher' }).click()
  await origin.line({ kind: 'refuse' })
  await acceptAtRisk(page, origin)
  await page.getByRole('button', { name: 'Next voucher' }).click()
  await expect(page.getByText('1 voucher was accepted at your shop’s risk')).toBeVisible()
  await expect(page.getByText('1 voucher is uploading')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload now' })).toHaveCount(1)
  await expectAccessibleAndFits(page, 'both strips')
  await page.getByRole('link', { name: SAVE }).click()
  await expect(page.getByRole('heading', { name: '2 vouchers, $20.00' })).toBeVisible()
  const shown = page.getByRole('region', { name: '2 vouchers, $20.00' }).getByRole('status')
  await expect(shown).toHaveText(/^Copy [\w-]{4}, code 1 of 2$/)
  await expectAccessibleAndFits(page, 'two copies')
  const text = await savedText(page)
  expect(readRescueText(text).copies).toHaveLength(2)
  const part = rescueParts(readRescueText(text).copies).slice(0, 3)
  await page.goto('/settings/device/import')
  await page.getByLabel('Or paste its text').fill(part.join('\n'))
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText(/^Copy [\w-]{4}\. All 2 codes have been read\.$/)).toBeVisible()
  await expect(page.getByText(/^Copy [\w-]{4}\. 1 of 2 codes have been read\. Still missing: 2$/)).toBeVisible()
  await origin.restore()
  await importNow(page)
  await expect(
    page.getByText('1 voucher recorded, $10.00.').or(page.getByText('1 had been recorded before.')),
  ).toBeVisible()
})

test('offline a copy is saved and read by keyboard alone, on every width and in every look @short', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  await givePersistence(page, false)
  await takenOffline(page, origin, merchant, 2)
  const offer = page.getByRole('status').filter({ hasText: 'This browser may delete what is waiting.' })
  await expect(offer).toBeVisible()
  await expectAccessibleAndFits(page, 'the offer at the counter')
  await origin.line({ kind: 'refuse' })
  await pressByKeyboard(page, 'link', SAVE)
  await expect(page).toHaveURL('/settings/device/rescue')
  await expect(page.getByRole('heading', { level: 1, name: 'Rescue copy' })).toBeFocused()
  await expect(page.getByRole('img', { name: 'Code 1 of' })).toBeVisible()
  await expectAccessibleAndFits(page, 'the rescue copy')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toContainText('Throw it away when this till has nothing waiting.', {
    useInnerText: true,
  })
  await expect(page.getByRole('main')).not.toContainText('Save as a file', { useInnerText: true })
  await page.emulateMedia({ media: null })
  const text = await savedText(page)
  await page.goto('/settings/device/import')
  await openFile(page, text)
  await expect(page.getByText('Importing needs a connection. What was read stays here until then.')).toBeVisible()
  await expectAccessibleAndFits(page, 'the import, offline')
  await origin.restore()
  await expect(page.getByRole('button', { name: 'Import', exact: true })).not.toHaveAttribute('aria-disabled', 'true')
})

test('a copy is offered at the counter while the battery is low, and not while it is charged', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  await page.addInitScript(() => {
    const battery = Object.assign(new EventTarget(), { level: 0.15, charging: false })
    Object.assign(navigator, { battery, getBattery: async () => battery })
  })
  await givePersistence(page, true)
  await takenOffline(page, origin, merchant, 1)
  const offer = page.getByRole('link', { name: SAVE })
  await expect(page.getByText('The battery of this device is low.')).toBeVisible()
  await expect(offer).toBeVisible()
  await expectAccessibleAndFits(page, 'the offer')
  await page.evaluate(() => {
    const { battery } = navigator as never as { battery: EventTarget & { charging: boolean } }
    battery.charging = true
    battery.dispatchEvent(new Event('chargingchange'))
  })
  await expect(offer).toBeHidden()
  await expect(page.getByText('1 voucher is uploading')).toBeVisible()
})

test('the codes on paper are read by the camera of another device, several in one view', async ({
  page,
  browser,
  origin,
  camera,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  await takenOffline(page, origin, merchant, 4)
  await page.goto('/settings/device/rescue')
  await expect(page.getByRole('img', { name: 'Code 1 of' })).toBeVisible()
  const [first, second, ...others] = rescueParts(readRescueText(await savedText(page)).copies)
  expect(others).toHaveLength(0)
  await origin.restore()
  // As on paper: one beside the other.
  const codes = [second!, first!].map((text, at) => ({ kind: 'qrcode' as const, text, left: 130 + at * 540, top: 120 }))
  await camera.shows({ codes, size: 1.6 })
  const portal = await openAs(browser, origin, merchant.main, '/settings/device/import')
  await portal.getByRole('button', { name: 'Use camera' }).click()
  await expect(portal.getByText('All 2 codes have been read.')).toBeVisible()
  await expectNoAxeViolations(portal)
  await portal.context().close()
})

/** Tab leads there from wherever the focus is, and Enter presses it. */
async function pressByKeyboard(page: Page, role: 'button' | 'link', name: string) {
  const control = page.getByRole(role, { name, exact: true })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(control).toBeFocused({ timeout: 50 })
  }).toPass()
  await page.keyboard.press('Enter')
}
