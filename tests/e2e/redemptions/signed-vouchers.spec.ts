import sharp, { type Region } from 'sharp'
import { scan, logIn } from '../../support/accounts/logIn.ts'
import { expect, testWithWorker as test } from '../../support/browser/cameraFixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makePosUser } from '../../support/database/builders.ts'
import { OF_DEVICE, storedRow } from '../../support/devices/storage.ts'
import { makeVoucherKey, logInAndEnrol, logInWithAllowance } from '../../support/redemptions/allowancePage.ts'
import { inTray } from '../../support/redemptions/counterPage.ts'
import { issueVouchers } from '../../support/server/desk.ts'
import { drawPdf } from '../../support/uploads/readPdf.ts'

async function issue(origin: PortalOrigin, count: number) {
  await makeVoucherKey(origin)
  return issueVouchers(origin.env, count)
}

/** Positions on the sheet in points, and the number of pixels for each in its picture. */
const CARD = { left: 48, top: 130, width: 238, height: 151, column: 250 }
const SQUARE = { size: 92, right: 6 }
const PIXELS = 4

/** A picture of card `n` of the sheet, or of its QR code alone, so that no other text can have been read. */
async function pictureOf(sheet: ArrayBuffer, n: number, part: 'card' | 'square') {
  const left = CARD.left + n * CARD.column
  const card = { left, top: CARD.top, width: CARD.width, height: CARD.height }
  const square = {
    left: left + CARD.width - SQUARE.size - SQUARE.right,
    top: CARD.top + (CARD.height - SQUARE.size) / 2,
    width: SQUARE.size,
    height: SQUARE.size,
  }
  const cut = part === 'card' ? card : square
  const [page] = await drawPdf(sheet.slice(0))
  const pixels = Object.fromEntries(Object.entries(cut).map(([name, points]) => [name, points * PIXELS]))
  return sharp(page)
    .extract(pixels as unknown as Region)
    .png()
    .toBuffer()
}

const verified = (origin: PortalOrigin) =>
  origin.sent('POST', '/api/voucher/verify').map(({ body }) => (JSON.parse(body) as { serial: string }).serial)

test('the camera reads an issued picture, by its square alone too, and the voucher is good @short', async ({
  page,
  origin,
  camera,
}) => {
  test.slow()
  const { vouchers, sheet } = await issue(origin, 2)
  const [whole, square] = vouchers
  await logIn(page, await makePosUser(origin.database.db))
  await camera.shows({ codes: [{ kind: 'picture', png: await pictureOf(sheet, 0, 'card') }] })
  await page.getByRole('button', { name: 'Use camera' }).click()
  await expect(inTray(page, 'Good')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(inTray(page, 'Good')).toHaveCount(0)
  // At the distance at which a voucher is held today.
  await camera.shows({ codes: [{ kind: 'picture', png: await pictureOf(sheet, 1, 'square') }], size: 0.35 })
  await page.reload()
  await expect(inTray(page, 'Good')).toBeVisible()
  expect(verified(origin)).toEqual([whole!.serial, square!.serial])
})

test('a scanner that types reads a signed voucher wherever the focus is, and presses nothing', async ({
  page,
  origin,
}) => {
  const [{ serial, code } = { serial: '', code: '' }] = (await issue(origin, 1)).vouchers
  await logIn(page, await makePosUser(origin.database.db))
  // A space in the code would press the focused button.
  await page.getByRole('button', { name: 'Use camera' }).focus()
  await scan(page, code, inTray(page, 'Good'))
  expect(verified(origin)).toEqual([serial])
  await expect(page.getByRole('button', { name: 'Use camera' })).toBeVisible()
  expect(await page.locator('video').evaluate(({ srcObject }: HTMLVideoElement) => srcObject)).toBeNull()
})

const askedLists = ({ requests }: PortalOrigin) =>
  requests.filter(({ path }) => /^\/api\/voucher\/(keys|spent)$/.test(path))

test('a till that may accept without a check keeps the keys and what is spent, and is told that it has them', async ({
  page,
  origin,
}) => {
  await logInWithAllowance(page, origin)
  await expect.poll(() => storedRow(page, OF_DEVICE, 'lists', 'voucherKeys')).toMatchObject({ data: [{ id: 1 }] })
  await expect
    .poll(() => storedRow(page, OF_DEVICE, 'lists', 'spentVouchers'))
    .toMatchObject({ data: { filter: expect.any(String) as unknown } })
  // The server answers 304, and the browser gives the page its stored copy.
  expect(await page.evaluate(async () => (await fetch('/api/voucher/spent', { cache: 'no-cache' })).status)).toBe(200)
  expect(askedLists(origin).at(-1)).toMatchObject({ path: '/api/voucher/spent', status: 304 })
})

test('a till whose branch has chosen no allowance asks for neither', async ({ page, origin }) => {
  await makeVoucherKey(origin)
  await logInAndEnrol(page, origin, await makePosUser(origin.database.db))
  const asksAgain = (times: number) =>
    expect.poll(() => origin.requests.filter(({ path }) => path === '/api/till/allowance').length).toBe(times)
  await asksAgain(1)
  // Requests that the first answer caused have been sent before the second answer.
  await page.reload()
  await asksAgain(2)
  expect(askedLists(origin)).toEqual([])
})
