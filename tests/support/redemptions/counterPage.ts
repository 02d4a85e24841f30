import { expect, type Locator, type Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { signIn } from '../accounts/signIn.ts'
import type { SentRequest } from '../browser/origin.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makePosUser, makeVoucher } from '../database/builders.ts'

const REDEEM = '/api/voucher/redeem'
const UPLOAD = '/api/voucher/upload'

/** What is tapped goes alone, and what was put off goes together (decision 0094). */
export const isRedemption = ({ path }: SentRequest): boolean => path === REDEEM || path === UPLOAD

/**
 * Every voucher that a till asked to redeem, as often as it did, in the order of the requests, with the status of its request. By its
 * hold: the secret is the right to it, and nothing else was sent.
 */
export const sentRedemptions = ({ requests }: PortalOrigin) =>
  requests.filter(isRedemption).flatMap(({ path, headers, body, status }) => {
    const said = JSON.parse(body) as { serial: string; redemptions: { id: string; serial: string; secret: string }[] }
    const right = headers['authorization']
    const isByHold = right?.startsWith('Bearer hold_') === true
    if (path === REDEEM) return [{ id: headers['idempotency-key'], serial: said.serial, isByHold, status }]
    return said.redemptions.map(({ id, serial, secret }) => ({
      id,
      serial,
      isByHold: secret !== '' && right === undefined,
      status,
    }))
  })
export const UPLOADING = 'Redeemed – uploading'

/** Signed in at the counter with one good voucher. */
export async function signInAtCounter(page: Page, origin: PortalOrigin) {
  const till = await makePosUser(origin.database.db)
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  await signIn(page, till)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  return { till, voucher }
}

export async function verifySerial(page: Page, serial: string): Promise<void> {
  await page.getByLabel('Or type the serial number').fill(serial)
  await page.getByRole('button', { name: 'Check voucher' }).click()
}

export const verdict = (page: Page, word: string): Locator =>
  page.getByRole('heading', { level: 1, name: word, exact: true })

export const ledgerRows = (origin: PortalOrigin, voucherId: string) =>
  origin.database.db.select().from(redemption).where(eq(redemption.voucherId, voucherId))
