import type { Page } from '@playwright/test'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { scan } from '../../support/accounts/logIn.ts'
import type { Ask } from '../../support/api/portalClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { followAnnouncements } from '../../support/browser/announcements.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makePosUser, makeRedemption, makeVoucher } from '../../support/database/builders.ts'
import { changeRows } from '../../support/database/rows.ts'
import { signedCode } from '../../support/redemptions/acceptingTill.ts'
import {
  acceptAtRisk,
  OFFER,
  RISK,
  signedVoucher,
  logInWithAllowance,
} from '../../support/redemptions/allowancePage.ts'
import { inTray, ledgerRows, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'
import { redeemHeld, testTill } from '../../support/redemptions/testTill.ts'
import { desk } from '../../support/server/desk.ts'

// Rules 9.27 to 9.31. Up to case 86 the browser cannot reach the server: no process listens on its port.

const nextVoucher = (page: Page) => page.getByRole('button', { name: 'Next customer' }).click()

async function comeBack(page: Page, origin: PortalOrigin) {
  await origin.restore()
  await fireVisibilityChange(page)
}

test('offline 84: a voucher is accepted at the shop’s risk without a connection, said once, and redeemed when it is back @short', async ({
  page,
  origin,
}) => {
  const { cashier } = await logInWithAllowance(page, origin, { till_cents: 5_000 })
  await origin.setConnection({ kind: 'refuse' })
  const { voucher, code } = await signedVoucher(origin)
  const said = await followAnnouncements(page)
  await scan(page, code, inTray(page, OFFER))
  await expectAccessibleAndFits(page)
  // The button reacts to the keyboard, but never to the Enter of a scanner.
  await page.keyboard.press('Enter')
  await expect(inTray(page, OFFER)).toBeVisible()
  const accept = page.getByRole('button', { name: 'Accept $10.00 at the shop’s risk' })
  await expect(accept).not.toBeFocused()
  await page.getByLabel('Bill').focus()
  await page.keyboard.press('Tab')
  await expect(accept).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(verdict(page, RISK)).toBeVisible()
  await expectAccessibleAndFits(page)
  const told = (await said()).map(({ text }) => text)
  expect(told.filter((text) => text.startsWith(OFFER))).toHaveLength(1)
  expect(told.filter((text) => text.startsWith(`${RISK}.`))).toHaveLength(1)
  await page.getByRole('button', { name: 'Receipt' }).click()
  await expect(page.getByRole('dialog', { name: 'Receipt' })).toContainText('Accepted at the shop’s risk')
  await page.getByRole('button', { name: 'Close' }).click()

  await nextVoucher(page)
  await expect(page.getByText('1 voucher, $10.00, was accepted at your shop’s risk.')).toBeVisible()
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'At risk' })).toBeVisible()
  await expect(page.getByText('At the shop’s risk').first()).toBeVisible()
  await expectAccessibleAndFits(page)
  expect(await ledgerRows(origin, voucher.id)).toEqual([])

  await comeBack(page, origin)
  await expect(page.getByRole('row').filter({ hasText: 'Redeemed' })).toBeVisible({ timeout: 30_000 })
  const rows = await ledgerRows(origin, voucher.id)
  expect(rows.map(({ posUserId, amountCents }) => [posUserId, amountCents])).toEqual([[cashier.id, 1_000]])
})

test('offline 85: without a connection each kind of voucher that may not be accepted is refused with its reason', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { voucher: spent } = await makeRedemption(db, await makePosUser(db), origin.clock.now())
  // The page looks for newly spent vouchers every quarter of an hour.
  origin.clock.advance(16 * 60_000)
  await logInWithAllowance(page, origin)
  const dear = await signedVoucher(origin, { denominationCents: 1_050 })
  const old = await signedVoucher(origin, { expiresOn: '2025-12-31' })
  const { code: good } = await signedVoucher(origin)
  const { serial } = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  const forged = good.slice(0, 30) + (good[30] === 'A' ? 'B' : 'A') + good.slice(31)
  await origin.setConnection({ kind: 'refuse' })
  const refusals: [code: string, word: string, why: string][] = [
    [serial, 'Cannot be checked now', 'Only a voucher with a signed QR code'],
    [forged, 'Not genuine', 'Its signature is wrong'],
    [old.code, 'Expired', 'This voucher has expired.'],
    [dear.code, 'Cannot be checked now', 'worth more than this till may accept'],
    [await signedCode(origin.deps, spent), 'May have been used', 'It is in the list of used vouchers'],
  ]
  for (const [code, word, why] of refusals) {
    await scan(page, code, inTray(page, word))
    await expect(inTray(page, word).getByText(why).first()).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Accept|Redeem)/ })).toHaveCount(0)
    const staysValid = page.getByRole('main').getByText('stays valid').first()
    await expect(staysValid).toBeVisible({ visible: word === 'Cannot be checked now' })
    await expectAccessibleAndFits(page)
    await nextVoucher(page)
  }
  const first = await acceptAtRisk(page, origin)
  await nextVoucher(page)
  await verifySerial(page, first.serial)
  await expect(inTray(page, 'Already used')).toBeVisible()
  await nextVoucher(page)
  await acceptAtRisk(page, origin)
  await nextVoucher(page)
  await scan(page, good, inTray(page, 'Cannot be checked now'))
  await expect(page.getByText('This till may accept only $0.00 more without a check.')).toBeVisible()
})

test('offline 86: what was used elsewhere, revoked, or accepted by a revoked till is said until somebody has seen it', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { cashier } = await logInWithAllowance(page, origin, { till_cents: 5_000 })
  const ask: Ask = origin.ask
  const elsewhere = await testTill(ask, await makePosUser(db))
  const { voucher: used } = await signedVoucher(origin)
  await redeemHeld(ask, await elsewhere.hold(used.serial))
  await origin.setConnection({ kind: 'refuse' })
  await acceptAtRisk(page, origin, used)
  await nextVoucher(page)
  const revoked = await acceptAtRisk(page, origin)
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await page.getByRole('button', { name: 'Receipt' }).click()
  await expect(receipt).toContainText('Accepted at the shop’s risk')
  await desk(origin.env, `revoke ${revoked.serial}`)

  await comeBack(page, origin)
  // The receipt of a lost voucher is gone, and no text says that it was redeemed.
  await expect(page.getByRole('heading', { level: 1, name: /^Lost: revoked/ })).toBeVisible({ timeout: 30_000 })
  await expect(receipt).toBeHidden()
  await nextVoucher(page)
  const loss = page.getByText(/^Lost: used elsewhere at \d\d:\d\d\. \$10\.00, voucher/)
  await expect(loss).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^Lost: revoked/)).toBeVisible()
  await expectAccessibleAndFits(page)
  await page.reload()
  await expect(loss).toBeVisible()
  await page.getByRole('status').filter({ has: loss }).getByRole('button', { name: 'Mark as seen' }).click()
  await expect(loss).toBeHidden()
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'Lost' })).toHaveCount(2)
  await page.getByRole('link', { name: 'Counter' }).click()

  await origin.setConnection({ kind: 'refuse' })
  const third = await acceptAtRisk(page, origin)
  await nextVoucher(page)
  await changeRows(db, 'till', { branchId: cashier.branch.id }, { revokedAt: origin.clock.now() })
  await comeBack(page, origin)
  await expect(page.getByText('This till was revoked before the voucher was uploaded.')).toBeVisible({
    timeout: 30_000,
  })
  expect(await ledgerRows(origin, third.id)).toEqual([])
})

test('offline 88: an offer is checked with the server where the connection is back, or the server answers, at the tap', async ({
  page,
  origin,
}) => {
  await logInWithAllowance(page, origin)
  const { voucher, code } = await signedVoucher(origin)
  await origin.setConnection({ kind: 'refuse' })
  await scan(page, code, inTray(page, OFFER))
  await expect(page.getByText('No answer', { exact: true }).first()).toBeVisible()
  await comeBack(page, origin)
  await expect(page.getByText('Online', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Accept $10.00 at the shop’s risk' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  await nextVoucher(page)

  const busy = JSON.stringify({ message: 'Too much to do', error: 'SERVER_BUSY', data: {}, request_id: 'r-1' })
  const answer = { kind: 'answer', status: 503, type: 'application/json', body: busy } as const
  await origin.setConnection(answer, ({ path }) => path === '/api/voucher/verify')
  const { code: second } = await signedVoucher(origin)
  await scan(page, second, inTray(page, 'Cannot be checked now'))
  await expect(page.getByText('The server could not check it now.')).toBeVisible()
})

test('one act accepts as many vouchers of a tray as the till has left, and says which one it did not', async ({
  page,
  origin,
}) => {
  const { cashier } = await logInWithAllowance(page, origin, { till_cents: 2_000 })
  const signed = [await signedVoucher(origin), await signedVoucher(origin), await signedVoucher(origin)]
  await origin.setConnection({ kind: 'refuse' })
  for (const { code, voucher } of signed)
    await scan(page, code, inTray(page, OFFER).filter({ hasText: formatSerial(voucher.serial) }))
  await page.getByLabel('Bill').fill('35')
  await page.getByRole('button', { name: 'Accept 3 vouchers, $30.00 at the shop’s risk' }).click()
  await expect(verdict(page, RISK)).toBeVisible()
  await expect(
    page
      .getByRole('main')
      .getByText(/Take \$20\.00 off the bill\./)
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('list', { name: 'Vouchers of this receipt' }).getByRole('listitem')).toHaveCount(2)
  await nextVoucher(page)
  const left = inTray(page, 'Cannot be checked now')
  await expect(left).toContainText(formatSerial(signed[2]!.voucher.serial))
  await expect(left).toContainText('This till may accept only $0.00 more without a check.')
  await expect(page.getByLabel('Bill')).toHaveValue('15.00')
  await expect(page.getByRole('button', { name: /^(Accept|Redeem)/ })).toHaveCount(0)
  await nextVoucher(page)
  await comeBack(page, origin)
  await expect(page.getByText('Today 2 vouchers, $20.00')).toBeVisible({ timeout: 30_000 })
  const rows = (await Promise.all(signed.map(({ voucher }) => ledgerRows(origin, voucher.id)))).flat()
  expect(rows.map(({ posUserId, amountCents }) => [posUserId, amountCents])).toEqual([
    [cashier.id, 1_000],
    [cashier.id, 1_000],
  ])
})
