import { hash } from '@node-rs/argon2'
import { expect, type Locator, type Page } from '@playwright/test'
import { logIn } from '../accounts/logIn.ts'
import type { SentRequest } from '../browser/origin.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makePosUser, makeVoucher, type Merchant } from '../database/builders.ts'
import { changeRows, rowsOf } from '../database/rows.ts'

/** A row of /api/till/sync, the call in which tills report their holds. */
interface SentRow {
  became: string
  id: string
  secret?: string
}

const rowsIn = ({ path, body }: SentRequest): SentRow[] =>
  path === '/api/till/sync' ? (JSON.parse(body) as { rows: SentRow[] }).rows : []

const tellsOf = (became: string) => (request: SentRequest) => rowsIn(request).some((row) => row.became === became)

/** True for a request with a redemption. A tap is sent alone; delayed rows are sent together. */
export const isRedemption = tellsOf('redeemed')
export const isVoid = tellsOf('voided')

/**
 * Returns each row of the requests in which a till reported `became`, in their order, with the status of its request. `isByHold` is true if only the
 * secret authorised it, without a session.
 */
export const sentRows = ({ requests }: PortalOrigin, became: string) =>
  requests.flatMap((request) =>
    rowsIn(request)
      .filter((row) => row.became === became)
      .map(({ id, secret = '' }) => ({
        id,
        isByHold: secret !== '' && request.headers['authorization'] === undefined,
        status: request.status,
      })),
  )

export const sentRedemptions = (origin: PortalOrigin) => sentRows(origin, 'redeemed')

/** The texts while the answer is late, and while there is no connection. A screen reader hears only the second. */
export const UPLOADING = 'Redeemed – uploading'
export const WILL_UPLOAD = 'Redeemed – will upload'

/** Logs a cashier in at the counter and makes one valid voucher. */
export async function logInAtCounter(page: Page, origin: PortalOrigin) {
  const till = await makePosUser(origin.database.db)
  const voucher = await makeVoucher(origin.database.db, { denominationCents: 1000 })
  await logIn(page, till)
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  return { till, voucher }
}

/** Types the serial of a customer's first voucher, or of another one when some are in the tray. */
export async function verifySerial(page: Page, serial: string): Promise<void> {
  const field = page.getByLabel('Or type the serial number')
  const more = page.getByRole('button', { name: 'Type a number' })
  await expect(field.or(more)).toBeVisible()
  if (await more.isVisible()) await more.click()
  await field.fill(serial)
  await page.getByRole('button', { name: 'Check voucher' }).click()
}

/** The line of the tray whose voucher has this word. */
export const inTray = (page: Page, word: string): Locator =>
  page
    .getByRole('list', { name: 'Vouchers in the tray' })
    .getByRole('listitem')
    .filter({ has: page.getByText(word, { exact: true }) })

/** The heading with the verdict on the redeemed vouchers. */
export const verdict = (page: Page, word: string): Locator =>
  page.getByRole('heading', { level: 1, name: word, exact: true })

interface LedgerRow {
  id: string
  posUserId: string
  amountCents: number
  voidedAt: string | null
  receiptNo: number
}

export const ledgerRows = (origin: PortalOrigin, voucherId: string) =>
  rowsOf<LedgerRow>(origin.database.db, 'redemption', { voucherId })

export const receiptNumber = ({ receiptNo }: { receiptNo: number | string }) =>
  `R-${String(receiptNo).padStart(6, '0')}`

/** From now on the tills of the branch ask for this PIN. */
export async function askForPin({ database: { db } }: PortalOrigin, { organisation, branch }: Merchant, pin: string) {
  await changeRows(db, 'organisation', { id: organisation.id }, { verificationMethod: 'Serial and branch PIN' })
  // A hash names its own cost, so the lowest cost works.
  const pinHash = await hash(pin, { memoryCost: 8, timeCost: 1, parallelism: 1 })
  await changeRows(db, 'branch', { id: branch.id }, { pinHash, pinSetAt: new Date() })
}
