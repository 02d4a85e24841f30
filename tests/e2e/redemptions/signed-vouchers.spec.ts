import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { scan, signIn } from '../../support/accounts/signIn.ts'
import { expect, testWithWorker as test } from '../../support/browser/cameraFixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makePosUser } from '../../support/database/builders.ts'
import { OF_DEVICE, storedRow } from '../../support/devices/storage.ts'
import { makeVoucherKey, signInAndEnrol, signInWithAllowance } from '../../support/redemptions/allowancePage.ts'
import { inTray } from '../../support/redemptions/counterPage.ts'
import { issueVouchers } from '../../support/server/desk.ts'

/** As the desk makes them, with their pictures. */
async function issue(origin: PortalOrigin, count: number) {
  await makeVoucherKey(origin)
  return issueVouchers(origin.env, count, (path) => readFileSync(path))
}

/** The left half of the picture: the square without the bars, so that nothing else can have been read. */
const squareOf = async (png: Buffer) => {
  const { height } = await sharp(png).metadata()
  return sharp(png).extract({ left: 0, top: 0, width: height, height }).png().toBuffer()
}

const verified = (origin: PortalOrigin) =>
  origin.sent('POST', '/api/voucher/verify').map(({ body }) => (JSON.parse(body) as { serial: string }).serial)

test('the camera reads an issued picture, by its square alone too, and the voucher is good @short', async ({
  page,
  origin,
  camera,
}) => {
  test.slow()
  const [whole, square] = await issue(origin, 2)
  await signIn(page, await makePosUser(origin.database.db))
  await camera.shows({ codes: [{ kind: 'picture', png: whole!.picture }] })
  await page.getByRole('button', { name: 'Use camera' }).click()
  await expect(inTray(page, 'Good')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(inTray(page, 'Good')).toHaveCount(0)
  // Held as far away as a voucher of today is.
  await camera.shows({ codes: [{ kind: 'picture', png: await squareOf(square!.picture) }], size: 0.35 })
  await page.reload()
  await expect(inTray(page, 'Good')).toBeVisible()
  expect(verified(origin)).toEqual([whole!.serial, square!.serial])
})

test('a scanner that types reads a signed voucher wherever the focus is, and presses nothing', async ({
  page,
  origin,
}) => {
  const [{ serial, code } = { serial: '', code: '' }] = await issue(origin, 1)
  await signIn(page, await makePosUser(origin.database.db))
  // A space of the code would press it.
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
  await signInWithAllowance(page, origin)
  await expect.poll(() => storedRow(page, OF_DEVICE, 'lists', 'voucherKeys')).toMatchObject({ data: [{ id: 1 }] })
  await expect
    .poll(() => storedRow(page, OF_DEVICE, 'lists', 'spentVouchers'))
    .toMatchObject({ data: { filter: expect.any(String) as unknown } })
  // The browser answers the page with what it has.
  expect(await page.evaluate(async () => (await fetch('/api/voucher/spent', { cache: 'no-cache' })).status)).toBe(200)
  expect(askedLists(origin).at(-1)).toMatchObject({ path: '/api/voucher/spent', status: 304 })
})

test('a till whose branch has chosen no allowance asks for neither', async ({ page, origin }) => {
  await makeVoucherKey(origin)
  await signInAndEnrol(page, origin, await makePosUser(origin.database.db))
  const asksAgain = (times: number) =>
    expect.poll(() => origin.requests.filter(({ path }) => path === '/api/till/allowance').length).toBe(times)
  await asksAgain(1)
  // What the first answer led to has been asked for by the time of the second.
  await page.reload()
  await asksAgain(2)
  expect(askedLists(origin)).toEqual([])
})
