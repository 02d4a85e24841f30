import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { makeMerchant, makePosUser, makeUser, makeVouchers, PASSWORD } from '../support/database/builders.ts'
import { expect, test } from '../support/engines/engineFixtures.ts'
import type { Device } from '../support/engines/Tab.ts'
import { ledgerRows } from '../support/redemptions/counterPage.ts'
import { merchantWithRedemptions } from '../support/reports/reportPage.ts'

test(
  'on a translated page vouchers are redeemed and voided, and a bill says what is left to pay',
  { tag: '@short' },
  async ({ translated: page, origin }) => {
    const { db } = origin.database
    const till = await makePosUser(db)
    const worths = [1_000, 500, 1_000, 500]
    const vouchers = await makeVouchers(db, 4, (n) => ({ denominationCents: worths[n]! }))
    const acts = [
      ['Redeem $10.00', 'Still to pay $23.00'],
      ['Redeem 2 vouchers, $15.00', 'Still to pay $18.00'],
      ['Redeem 3 vouchers, $25.00', 'Still to pay $8.00'],
      ['Redeem 4 vouchers, $30.00', 'Still to pay $3.00'],
    ] as const
    await page.logInAtCounter(till)
    for (const [n, { serial }] of vouchers.entries()) {
      await page.scan(`HRP1.${serial}`)
      await page.expect('button', acts[n]![0])
      if (n === 0) await page.fill('Bill', '33.00')
      await page.expectText(acts[n]![1])
    }
    await page.press('button', `Give back ${formatSerial(vouchers[2]!.serial)}`)
    await page.expectText('Still to pay $13.00')
    await page.scan(`HRP1.${vouchers[2]!.serial}`)
    await page.expectText(acts[3]![1])
    await page.press('button', acts[3]![0])
    await page.expect('heading', 'Redeemed')
    await page.expectText('Take $30.00 off the bill.')
    await page.press('button', `Void ${formatSerial(vouchers[0]!.serial)}`)
    await page.press('button', 'Void redemption')
    await page.expectText('Redemption voided')
    await page.expectText('Take only $20.00 off the bill.')
    // The toast has a button with the same name as the receipt.
    await page.expectNoText('Redemption voided')
    expect((await ledgerRows(origin, vouchers[0]!.id)).map(({ voidedAt }) => voidedAt)).toEqual([expect.any(String)])
    await page.press('button', 'Receipt')
    await page.expectText('Still to pay $13.00')
    await page.press('button', 'Close')
    await page.press('button', 'Next customer')
    await page.expectText('Today 3 vouchers, $20.00')
    await page.fill('Or type the serial number', vouchers[1]!.serial)
    await page.press('button', 'Check voucher')
    await page.expectText('Already used')
  },
)

test('a translation that begins when a voucher is good breaks no later step', async ({
  portal,
  translated: page,
  origin,
}) => {
  const { db } = origin.database
  const [first, second] = await makeVouchers(db, 2, () => ({ denominationCents: 1_000 }))
  await portal.logInAtCounter(await makePosUser(db))
  await portal.scan(`HRP1.${first!.serial}`)
  await portal.expect('button', 'Redeem $10.00')
  await page.translate()
  await page.press('button', 'Redeem $10.00')
  await page.expect('heading', 'Redeemed')
  await page.press('button', 'Next customer')
  await page.scan(`HRP1.${second!.serial}`)
  await page.press('button', 'Redeem $10.00')
  await page.expect('heading', 'Redeemed')
})

test('a merchant logs in, lists, exports, reports and updates on a translated page', async ({
  translated: page,
  device,
  origin,
}) => {
  // A list has its export from ten rows on.
  const september = Array.from({ length: 8 }, (_, n) => `2026-09-0${n + 1}`)
  const { main, vouchers } = await merchantWithRedemptions(origin, ['2026-10-05', '2026-10-06', ...september])
  await page.open('/login')
  await page.fill('Email', main.loginName)
  await page.fill('Password', `${PASSWORD}!`)
  await page.press('button', 'Login')
  await page.expectText('Email or password is incorrect.')
  await page.fill('Password', PASSWORD)
  await page.press('button', 'Login')
  await page.expect('heading', 'Dashboard')
  await page.readyOffline()

  await page.press('link', 'Vouchers')
  await page.expect('heading', 'Vouchers')
  await page.press('button', 'Denomination')
  const [first, second] = vouchers.map(({ serial }) => formatSerial(serial))
  await page.press('link', first!)
  await page.expectText('History')
  await page.press('button', 'Receipt')
  await page.expect('button', 'Print')
  await page.press('button', 'Close')
  await page.expectText('History')
  await page.press('button', 'Close')
  await page.fill('Serial number', second!)
  await page.expectNoText(first!)
  await page.press('button', 'Export CSV')
  await expectFile(device, /^Vouchers.*csv$/, vouchers[1]!.serial)

  await page.press('link', 'Transaction Report')
  await page.expectText('Preview')
  await page.fill('From', '2026-10-01')
  await page.fill('To', '2026-10-31')
  await page.expectText('2 vouchers · $20.00')
  await page.press('button', 'Download CSV')
  // This is one button, whose label changed.
  await page.press('button', 'Save file')
  await expectFile(device, /^Transaction Report.*csv$/, vouchers[0]!.serial)

  origin.deploy('2')
  await page.tab.evaluate(() => void dispatchEvent(new Event('focus')))
  await page.expectText('New version available. Refresh now?')
  await page.press('button', 'Refresh')
  await page.expectRelease('2')
})

async function expectFile(device: Device, name: RegExp, words: string) {
  const files = () => readdirSync(device.downloads).filter((file) => name.test(file))
  const contents = () => files().map((file) => readFileSync(join(device.downloads, file), 'utf8'))
  await expect.poll(contents).toEqual([expect.stringContaining(words)])
}

test('the dialogs of a branch stay whole on a translated page', async ({ translated: page, origin }) => {
  const user = await makeUser(origin.database.db, 'Branch Merchant', await makeMerchant(origin.database.db))
  await page.open('/login')
  await page.fill('Email', user.loginName)
  await page.fill('Password', PASSWORD)
  await page.press('button', 'Login')
  await page.expect('heading', 'Dashboard')

  await page.press('link', 'Tills')
  // The button stands elsewhere until the list is known to be empty.
  await page.expectText('No tills yet')
  await page.press('button', 'Add a till')
  await page.press('button', 'Make a code')
  await page.expectText('Name is required.')
  await page.fill('Name', 'Till 7')
  await page.press('button', 'Make a code')
  await page.expectText('Scan this with the camera of the device')
  await page.press('button', 'Close')

  await page.press('link', 'Profile')
  // This line moves the tabs down.
  await page.expectText('merchant ID')
  await page.press('button', 'Details')
  await page.press('button', 'Change password')
  await page.fill('Current password', `${PASSWORD}!`)
  await page.fill('New password', 'gubVah-5bicfo-xuztaf')
  await page.fill('Repeat new password', 'gubVah-5bicfo-xuztaf')
  await page.press('button', 'Change password')
  await page.expectText('Current password is incorrect.')
  await page.fill('Current password', PASSWORD)
  await page.press('button', 'Change password')
  await page.expectText('Password changed. Other devices were logged out.')
})
