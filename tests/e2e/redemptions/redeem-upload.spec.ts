import type { Page } from '@playwright/test'
import { LEASE_MS } from '../../../src/offline/store/withLock.ts'
import { readyOffline } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testOnDisk, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeVoucher, type User, type Voucher } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import {
  inTray,
  isRedemption,
  isVoid,
  ledgerRows,
  receiptNumber,
  sentRedemptions,
  logInAtCounter,
  UPLOADING,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'

// Rule 9.4: a voucher that the cashier took is uploaded by the right of its hold, whatever happens to sessions, users, tabs and builds.
// In all these tests only the upload itself fails, so that everything else can happen meanwhile.

const WAITS = '1 voucher, $10.00, is uploading.'
const dropUploads = (origin: PortalOrigin) => origin.setConnection({ kind: 'refuse' }, isRedemption)

/** Takes a voucher of $10 while the connection is gone. */
async function takenOffline(page: Page, origin: PortalOrigin) {
  const { voucher, till } = await logInAtCounter(page, origin)
  await readyOffline(page)
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await dropUploads(origin)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  expect(await ledgerRows(origin, voucher.id)).toEqual([])
  return { voucher, till }
}

const carriedOut = (origin: PortalOrigin) => sentRedemptions(origin).filter(({ status }) => status === 200)

/** Expects one ledger row of the cashier who took it, and one successful upload; all attempts use the same hold and nothing else. */
async function expectUploadedOnce(origin: PortalOrigin, voucher: Voucher, till: User) {
  await expect.poll(() => carriedOut(origin).length, { timeout: 40_000 }).toBe(1)
  const rows = await ledgerRows(origin, voucher.id)
  expect(rows.map(({ posUserId, amountCents, voidedAt }) => [posUserId, amountCents, voidedAt])).toEqual([
    [till.id, 1000, null],
  ])
  const { db } = origin.database
  expect(await rowsOf(db, 'voucher', { id: voucher.id })).toMatchObject([{ status: 'Used' }])
  expect(await rowsOf(db, 'hold', { voucherId: voucher.id, became: null })).toEqual([])
  const attempts = sentRedemptions(origin)
  expect(attempts.length).toBeGreaterThan(1)
  expect(new Set(attempts.map(({ id }) => id))).toEqual(new Set([rows[0]!.id]))
  expect(attempts.every(({ isByHold }) => isByHold)).toBe(true)
}

/** Process id of the renderer of `page`, which is busy while the page is. */
async function processOf(page: Page): Promise<number> {
  const session = await page.context().browser()!.newBrowserCDPSession()
  const times = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate(() => {
    const until = performance.now() + 500
    while (performance.now() < until);
  })
  const grown = [...(await times())].map(([id, time]) => ({ id, grown: time - (before.get(id) ?? 0) }))
  await session.detach()
  return grown.toSorted((one, other) => other.grown - one.grown)[0]!.id
}

test('a tab that the browser has stopped while it uploads holds up no other, and uploads nothing twice when it wakes up @short', async ({
  page,
  context,
  origin,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  const another = await makeVoucher(origin.database.db, { denominationCents: 2000 })
  const second = await context.newPage()
  // Playwright's clock applies to all pages, and would wait for the stopped one.
  await second.addInitScript((lease) => {
    const wait = setTimeout
    const inBrief = (run: TimerHandler, ms?: number, ...rest: unknown[]) =>
      wait(run, ms === lease ? 1_000 : ms, ...rest)
    Object.assign(window, { setTimeout: inBrief })
  }, LEASE_MS)
  await second.goto('/redeem')
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'hang' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect.poll(() => sentRedemptions(origin).length).toBe(1)
  const stopped = await processOf(page)
  process.kill(stopped, 'SIGSTOP')
  try {
    await origin.setConnection({ kind: 'up' }, isRedemption)
    await verifySerial(second, another.serial)
    await second.getByRole('button', { name: 'Redeem $20.00' }).click()
    await expect(verdict(second, 'Redeemed')).toBeVisible()
    await expect.poll(async () => (await ledgerRows(origin, voucher.id)).length).toBe(1)
  } finally {
    process.kill(stopped, 'SIGCONT')
  }
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  const rows = [...(await ledgerRows(origin, voucher.id)), ...(await ledgerRows(origin, another.id))]
  expect(rows.map(({ posUserId, amountCents }) => [posUserId, amountCents])).toEqual([
    [till.id, 1000],
    [till.id, 2000],
  ])
  await expect(page).toHaveURL('/redeem')
})

testWithWorker(
  'a queued redemption holds no update back, and goes up once from the new release',
  async ({ page, origin }) => {
    const { voucher, till } = await takenOffline(page, origin)
    origin.deploy('2')
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
    const isWaiting = () => page.evaluate(async () => !!(await navigator.serviceWorker.getRegistration())?.waiting)
    await expect.poll(isWaiting).toBe(true)
    // The cashier may still be reading the verdict, and a customer is served to the end.
    const prompt = page.getByText('New version available. Refresh now?')
    await expect(prompt).toHaveCount(0)
    await page.getByRole('button', { name: 'Next customer' }).click()
    await expect(prompt).toBeVisible()
    await verifySerial(page, (await makeVoucher(origin.database.db)).serial)
    await expect(inTray(page, 'Good')).toBeVisible()
    await expect(prompt).toHaveCount(0)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-build', '2')
    await expect(page.getByText(WAITS)).toBeVisible()
    expect(await ledgerRows(origin, voucher.id)).toEqual([])
    await origin.restore()
    await fireVisibilityChange(page)
    await expectUploadedOnce(origin, voucher, till)
    await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
  },
)

testWithWorker(
  'what was put off is said to be uploaded in the tab that is looked at, once, with the sound of an accepted voucher',
  async ({ page, context, origin }) => {
    await context.addInitScript(() => {
      const tones: number[] = []
      const { start } = OscillatorNode.prototype
      OscillatorNode.prototype.start = function (this: OscillatorNode, when) {
        tones.push(this.frequency.value)
        start.call(this, when)
      }
      Object.assign(globalThis, { tones })
    })
    const tones = (of: Page) => of.evaluate(() => (globalThis as unknown as { tones: number[] }).tones)
    const [GOOD, REDEEMED] = [[1175], [660, 990]] as const
    const said = (of: Page) => of.locator('[data-toast]').filter({ hasText: 'ploaded' })
    await takenOffline(page, origin)
    await expect.poll(() => tones(page)).toEqual([...GOOD, ...REDEEMED])
    await page.getByRole('button', { name: 'Next customer' }).click()
    const second = await context.newPage()
    await second.goto('/redeem')
    await expect(second.getByText(WAITS)).toBeVisible()
    await second.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }))
    await origin.restore()
    await fireVisibilityChange(page)
    await expect(said(page)).toHaveText(/^Uploaded\. Receipt R-\d{6}$/)
    await expect.poll(() => tones(page)).toEqual([...GOOD, ...REDEEMED, ...REDEEMED])
    await expect(second.getByText('Today 1 voucher, $10.00')).toBeVisible()
    await expect(said(second)).toHaveCount(0)
    expect(await tones(second)).toEqual([])
  },
)

testWithWorker(
  'a queued redemption does not die by a status: the counter says that it keeps trying and why, and it goes up once @short',
  async ({ page, origin }) => {
    const { voucher, till } = await takenOffline(page, origin)
    const answers = (status: number, error: string, message: string) => {
      const body = JSON.stringify({ message, error, data: {}, request_id: 'r-1' })
      return { kind: 'answer', status, type: 'application/json', body } as const
    }
    // The answer did not come from a server of ours.
    const foreign = 'The answer was lost. It is being fetched.'
    for (const [line, said] of [
      [{ kind: 'answer', status: 404, type: 'text/html', body: '<h1>404 Not Found</h1>' }, foreign],
      [answers(404, 'NOT_FOUND', 'This was not found.'), 'This was not found.'],
      [answers(409, 'OF_A_LATER_RELEASE', 'Not by this till.'), 'Not by this till.'],
    ] as const) {
      await origin.setConnection(line, isRedemption)
      await fireVisibilityChange(page)
      await expect(page.getByText(`${said}`)).toBeVisible()
    }
    await expect(verdict(page, UPLOADING)).toBeVisible()
    await page.getByRole('button', { name: 'Next customer' }).click()
    await expect(page.getByText(WAITS)).toBeVisible()
    await expect(page.getByText('The last attempt: Not by this till.')).toBeVisible()
    expect(await ledgerRows(origin, voucher.id)).toEqual([])
    await origin.restore()
    await fireVisibilityChange(page)
    await expectUploadedOnce(origin, voucher, till)
    await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
  },
)

test('VCH-11: a tray takes fifteen vouchers, and a till fifteen that wait; the next is told why, and loses nothing', async ({
  page,
  origin,
}) => {
  test.slow()
  const { till } = await logInAtCounter(page, origin)
  const make = () => makeVoucher(origin.database.db, { denominationCents: 1000 })
  await dropUploads(origin)
  const taken: Voucher[] = []
  while (taken.length < 15) {
    const voucher = await make()
    await verifySerial(page, voucher.serial)
    taken.push(voucher)
    await expect(inTray(page, 'Good')).toHaveCount(taken.length)
  }
  const full = inTray(page, 'Too many vouchers waiting')
  const asked = origin.sent('POST', '/api/voucher/verify').length
  const next = await make()
  await verifySerial(page, next.serial)
  await expect(full).toContainText('Redeem those in the tray, then scan it again.')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Redeem 15 vouchers, $150.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expect(page.getByText('Take $150.00 off the bill.', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Next customer' }).click()
  await verifySerial(page, next.serial)
  await expect(full).toBeVisible()
  expect(origin.sent('POST', '/api/voucher/verify')).toHaveLength(asked)
  expect((await Promise.all(taken.map(({ id }) => ledgerRows(origin, id)))).flat()).toEqual([])
  await origin.restore()
  await fireVisibilityChange(page)
  await expect(page.getByText('are uploading.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  const redeemed = (await Promise.all(taken.map(({ id }) => ledgerRows(origin, id)))).flat()
  expect(redeemed.map(({ posUserId }) => posUserId)).toEqual(taken.map(() => till.id))
  // Uploads keep the order of the scans, and so do the receipts.
  expect(carriedOut(origin).map(({ id }) => id)).toEqual(redeemed.map(({ id }) => id))
  expect(redeemed.map(({ receiptNo }) => receiptNo)).toEqual(
    redeemed.map(({ receiptNo }) => receiptNo).toSorted((one, other) => one - other),
  )
  // One request, or two halves.
  const requests = origin.requests.filter((request) => isRedemption(request) && request.status === 200)
  expect(requests.length).toBeLessThanOrEqual(2)
})

test('FLT-17: a network that goes in the middle and comes back shows the real outcome, under the same key, and nothing waits unseen @short', async ({
  page,
  origin,
}) => {
  const { voucher, till } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  // The server records it, but its answer is lost.
  void origin.loseAnswer(isRedemption, 1_000)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expect.poll(async () => (await ledgerRows(origin, voucher.id)).length).toBe(1)
  await dropUploads(origin)
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByText(WAITS)).toBeVisible()
  const attempts = sentRedemptions(origin).length
  await page.getByRole('button', { name: 'Upload now' }).click()
  await expect.poll(() => sentRedemptions(origin).length).toBeGreaterThan(attempts)
  await expect(page.getByText(WAITS)).toBeVisible()
  await origin.restore()
  await fireVisibilityChange(page)
  await expect(page.getByText(WAITS)).toHaveCount(0)
  await expectUploadedOnce(origin, voucher, till)
  const [entry] = await ledgerRows(origin, voucher.id)
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('row', { name: /Redeemed/ })).toContainText(receiptNumber(entry!))
  await page.getByRole('button', { name: /^Receipt of/ }).click()
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  await expect(receipt).toContainText(receiptNumber(entry!))
  await page.emulateMedia({ media: 'print' })
  await expect(receipt.getByText('$10.00')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'My day', includeHidden: true })).toBeHidden()
})

testOnDisk(
  '34: a queued redemption outlives the browser, and goes up once after its restart',
  async ({ origin, openBrowser }) => {
    const before = await openBrowser()
    const { voucher, till } = await takenOffline(await before.newPage(), origin)
    await before.close()
    const page = await (await openBrowser()).newPage()
    await page.goto('/redeem')
    await expect(page.getByText(WAITS)).toBeVisible()
    expect(await ledgerRows(origin, voucher.id)).toEqual([])
    await origin.restore()
    await fireVisibilityChange(page)
    await expectUploadedOnce(origin, voucher, till)
    await expect(page.getByText('Today 1 voucher, $10.00')).toBeVisible()
  },
)

test('a void that nobody answers says that it is under way, on the counter and in My day, and ends by itself', async ({
  page,
  origin,
}) => {
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await origin.setConnection({ kind: 'refuse' }, isVoid)
  await page.getByRole('button', { name: 'Void this redemption' }).click()
  await page.getByRole('button', { name: 'Void redemption' }).click()
  await expect(verdict(page, 'Voiding…')).toBeVisible()
  await expect(page.getByText('Not voided yet: no answer from the server.')).toBeVisible()
  await expect(page.getByRole('button', { name: /Void this redemption|Receipt/ })).toHaveCount(0)
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Next customer' }).click()
  await expect(page.getByText('1 voucher, $10.00, is being voided.')).toBeVisible()
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('row', { name: /Voiding/ })).toBeVisible()
  await origin.setConnection({ kind: 'up' }, isVoid)
  await expect(page.getByRole('row', { name: /Voided/ })).toBeVisible({ timeout: 30_000 })
  expect(await ledgerRows(origin, voucher.id)).toMatchObject([{ voidedAt: expect.any(String) as unknown }])
  await page.getByRole('button', { name: 'Mark as seen' }).click()
  await expect(page.getByText('was voided: voucher')).toHaveCount(0)
})
