import type { Page } from '@playwright/test'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeMerchant, makePosUser, makeSerial, makeVoucher } from '../../support/database/builders.ts'
import {
  askForPin,
  inTray,
  sentRedemptions,
  sentRows,
  logInAtCounter,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'
import { inFrench, onPad, signsOf, typeLikeScanner } from '../../support/redemptions/handScanner.ts'

const ENTER = { key: 'Enter', code: 'Enter' }
const TAB = { key: 'Tab', code: 'Tab' }
const LINE_FEED = { key: 'j', code: 'KeyJ', ctrl: true }
/** As long as a signed voucher, and full of spaces. */
const SIGNED_LOOKALIKE = `HRP2:${'6BF 1VC '.repeat(14)}+00`

const isGood = (page: Page) => inTray(page, 'Good')
/** The message about a scan that was ignored. */
const missed = (page: Page) => page.locator('[data-toast][role=alert]')

test('no key of a scanner redeems the voucher on the screen, whatever is scanned, and each scan is answered @short', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  // Each scan has another serial: the same one again at once counts as the scanner's stutter.
  const other = () => makeSerial()
  const redeem = page.getByRole('button', { name: 'Redeem $10.00' })
  // The answer comes between the two end keys, so the second one finds Redeem with the focus.
  await typeLikeScanner(page, signsOf(voucher.serial), { ends: [ENTER, ENTER], betweenEnds: 80 }, () =>
    expect(redeem).toBeFocused(),
  )
  const scans: [name: string, ...(Parameters<typeof typeLikeScanner> extends [Page, ...infer Rest] ? Rest : never)][] =
    [
      ['a staff badge', signsOf('12345')],
      ['a price look-up code', signsOf('4011'), { every: 15 }],
      ['a member card with a space', signsOf('MEMBER 1234567')],
      ['a payment text', signsOf('00020101021126380009SG.PAYNOW 5914KOPI AND TOAST6304')],
      ['a voucher on a device in French', inFrench(other())],
      ['a voucher on the pad without Num Lock', onPad(other())],
      ['a signed code at 34 ms a key', signsOf(SIGNED_LOOKALIKE), { every: 34 }],
      ['a signed code with a pause', signsOf(`${SIGNED_LOOKALIKE}1`), { every: 15, pause: { at: 41, ms: 130 } }],
      ['a voucher with a Bluetooth pause', signsOf(other()), { every: 10, pause: { at: 9, ms: 101 } }],
      ['a slow voucher', signsOf(other()), { every: 120 }],
      // This scan swallows the first Enter within two seconds, so it must not be the last.
      ['a voucher without an end', signsOf(other()), { ends: [] }],
      ['a voucher with CR LF', signsOf(other()), { ends: [ENTER, ENTER], betweenEnds: 95 }],
      ['a voucher with Tab and Enter', signsOf(other()), { ends: [TAB, ENTER], betweenEnds: 95 }],
      ['a voucher with a line feed', signsOf(other()), { ends: [ENTER, LINE_FEED] }],
    ]
  const answer = page.getByRole('button', { name: /^Remove / })
  for (const [name, ...scan] of scans) {
    await typeLikeScanner(page, ...scan)
    await expect(answer, name).toHaveCount(1)
    await answer.click()
    await expect(answer).toHaveCount(0)
    await redeem.focus()
  }
  await expect(isGood(page)).toBeVisible()
  expect(sentRedemptions(origin)).toEqual([])
  // A key pressed by a person still works.
  await page.keyboard.press('Enter')
  await expect(verdict(page, 'Redeemed')).toBeVisible()
})

test('a scan on a device without a name is no name for it, and is answered', async ({ page, origin }) => {
  const { voucher } = await logInAtCounter(page, origin)
  await page.evaluate(() => localStorage.removeItem('till-device'))
  await page.reload()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toBeFocused()
  await typeLikeScanner(page, signsOf(voucher.serial))
  await expect(missed(page)).toHaveText(/Set up this till first, then scan it again/)
  await expect(name).toHaveValue('')
})

test('a scan leaves the amount of a bill and the PIN as they were typed, and goes into the tray @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  await page.addInitScript(() => {
    const { start } = OscillatorNode.prototype
    const tones: number[] = []
    OscillatorNode.prototype.start = function note(at) {
      tones.push(this.frequency.value)
      start.call(this, at)
    }
    Object.assign(window, { tones })
  })
  const lastTones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones.slice(-2))
  const merchant = await makeMerchant(db)
  await askForPin(origin, merchant, '104482')
  await logIn(page, await makePosUser(db, merchant))
  const [voucher, other, third] = [
    await makeVoucher(db, { denominationCents: 1000 }),
    await makeVoucher(db, { denominationCents: 2000 }),
    await makeVoucher(db, { denominationCents: 500 }),
  ]

  await verifySerial(page, voucher.serial)
  const pin = page.getByLabel('Branch PIN')
  await pin.pressSequentially('104', { delay: 100 })
  await typeLikeScanner(page, signsOf(other.serial))
  await expect(page.getByText(`${formatSerial(voucher.serial)}, ${formatSerial(other.serial)}`)).toBeVisible()
  await expect(pin).toHaveValue('104')
  await pin.pressSequentially('482', { delay: 100 })
  await page.keyboard.press('Enter')
  await expect(isGood(page)).toHaveCount(2)

  const bill = page.getByLabel('Bill', { exact: true })
  await bill.pressSequentially('32.50', { delay: 100 })
  await typeLikeScanner(page, signsOf('4006381333931'))
  await expect(inTray(page, 'Not a voucher of this programme')).toBeVisible()
  await typeLikeScanner(page, signsOf(third.serial), { every: 130 })
  await expect(isGood(page)).toHaveCount(3)
  await expect(bill).toHaveValue('32.50')
  await expect(page.getByRole('button', { name: 'Redeem 3 vouchers, $35.00' })).toBeVisible()
  await expect(page.getByText('The customer loses $2.50: no change is given.')).toBeVisible()
  expect(sentRedemptions(origin)).toEqual([])

  // Escape closes only the top layer: the vouchers stay in the tray.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toContainText('Give back 3 vouchers?')
  await typeLikeScanner(page, signsOf(makeSerial()))
  await expect(missed(page)).toHaveText(/Close the dialog first/)
  await expect.poll(lastTones).toEqual([277, 277])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(isGood(page)).toHaveCount(3)
  expect(sentRows(origin, 'cancelled')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Give back all' }).click()
  await expect.poll(() => sentRows(origin, 'cancelled').length).toBeGreaterThanOrEqual(3)

  await page.getByRole('link', { name: 'My day' }).click()
  await typeLikeScanner(page, signsOf(other.serial))
  await expect(missed(page)).toHaveText(/Go back to the counter first/)
})
