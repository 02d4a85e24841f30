import { expect, type Page } from '@playwright/test'
import type { AllowanceRules } from '../../../src/contract/redemptions/allowance.ts'
import { enrolmentLink } from '../../../src/domain/devices/enrolmentLink.ts'
import { readyOffline, scan, logIn } from '../accounts/logIn.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makeEnrolment, makePosUser, makeVoucher, type PosUser, type Voucher } from '../database/builders.ts'
import { OF_DEVICE, storedRows } from '../devices/storage.ts'
import { desk } from '../server/desk.ts'
import { allow, signedCode } from './acceptingTill.ts'
import { inTray, verdict } from './counterPage.ts'

export const RISK = 'Accepted at your shop’s risk'
export const OFFER = 'At your shop’s risk'

const keys = new WeakMap<PortalOrigin, Promise<string>>()

/** Lets the programme sign vouchers: makes one key for all tests of a server. */
export async function makeVoucherKey(origin: PortalOrigin): Promise<void> {
  if (!keys.has(origin)) keys.set(origin, desk(origin.env, 'make-key'))
  await keys.get(origin)
}

/** Logs in and enrols a till at a branch with an allowance, and waits until it can work offline. */
export async function logInWithAllowance(page: Page, origin: PortalOrigin, rules: Partial<AllowanceRules> = {}) {
  const { db } = origin.database
  await makeVoucherKey(origin)
  const cashier = await makePosUser(db)
  const all = { voucher_cents: 1_000, till_cents: 2_000, day_cents: 10_000, hours: 4, ...rules }
  await allow(db, cashier.branch, all)
  await logInAndEnrol(page, origin, cashier)
  await untilItMayAccept(page)
  return { cashier }
}

/** Waits until the device can work offline and accept vouchers without a check. */
async function untilItMayAccept(page: Page) {
  await readyOffline(page)
  await expect.poll(() => storedOnDevice(page), { timeout: 20_000 }).toEqual({ lists: 2, granted: true })
}

/** Logs the cashier in and makes the device a till of their branch, with a code of a manager. */
export async function logInAndEnrol(
  page: Page,
  origin: { database: Pick<PortalOrigin['database'], 'db'>; clock: Pick<PortalOrigin['clock'], 'now'> },
  cashier: PosUser,
) {
  await logIn(page, cashier)
  const { code } = await makeEnrolment(origin.database.db, cashier, new Date(origin.clock.now().getTime() + 60_000))
  await page.goto(enrolmentLink('', code))
  await page.getByRole('button', { name: 'Go to the counter' }).click()
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
}

/** Returns the stored parts that the device needs to accept without a check: keys and filter, and a grant. */
async function storedOnDevice(page: Page) {
  const lists = await storedRows(page, OF_DEVICE, 'lists')
  const allowances = await storedRows(page, 'till', 'allowance')
  return {
    lists: lists.filter(({ key }) => ['voucherKeys', 'spentVouchers'].includes(String(key))).length,
    granted: allowances.some(({ granted }) => granted !== undefined),
  }
}

/** Makes a voucher of $10 with the code that the provider signed for it. */
export async function signedVoucher(origin: PortalOrigin, given: Partial<Parameters<typeof makeVoucher>[1]> = {}) {
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000, ...given })
  return { voucher, code: await signedCode(origin.deps, voucher) }
}

/** Lets the cashier accept a voucher while there is no connection. */
export async function acceptAtRisk(page: Page, origin: PortalOrigin, given?: Voucher): Promise<Voucher> {
  const voucher = given ?? (await signedVoucher(origin)).voucher
  await acceptCode(page, await signedCode(origin.deps, voucher))
  return voucher
}

async function acceptCode(page: Page, code: string): Promise<void> {
  await scan(page, code, inTray(page, OFFER))
  await page.getByRole('button', { name: /^Accept .* at the shop’s risk$/ }).click()
  await expect(verdict(page, RISK)).toBeVisible()
}
