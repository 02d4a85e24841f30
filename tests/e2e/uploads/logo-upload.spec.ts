import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { RequestFilter } from '../../support/browser/origin.ts'
import { changeRows } from '../../support/database/rows.ts'
import {
  clearThrottles,
  goodLogo,
  imageFile,
  openNewBrand,
  uploadLogo,
} from '../../support/merchants/applicationForm.ts'
import { makeImage } from '../../support/uploads/makeImage.ts'

const FORM = '/register?type=hrp'
const PUTS: RequestFilter = ({ method, path }) => method === 'PUT' && path.startsWith('/files/')
const PRESIGN = '/api/s3_upload/s3_presigned_url/public'

test.beforeEach(({ origin }) => clearThrottles(origin))

test('UPL-10: a good logo is sent at once, to its own address, with neither token nor cookie @short', async ({
  page,
  origin,
}) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  const logo = await goodLogo()
  await uploadLogo(dialog, logo)
  await expect(dialog.getByText('logo.png', { exact: true })).toBeVisible()
  await expect(dialog.locator('img[data-thumbnail]')).toBeVisible()
  const [announced] = origin.sent('POST', PRESIGN)
  expect(JSON.parse(announced!.body)).toMatchObject({
    kind: 'brand_logo',
    content_type: 'image/png',
    content_length: logo.buffer.length,
    filename: 'logo.png',
  })
  const [put, ...others] = origin.requests.filter(PUTS)
  expect(others).toEqual([])
  expect(put).toMatchObject({ status: 200 })
  expect(put!.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(logo.buffer.length) })
  expect(put!.headers).not.toHaveProperty('authorization')
  expect(put!.headers).not.toHaveProperty('cookie')
})

/** Makes a logo of noise, which does not compress: its size grows with its pixels. */
async function heavyLogo(width: number, height: number) {
  const raw = { width, height, channels: 3 } as const
  const buffer = await sharp(randomBytes(width * height * 3), { raw })
    .png()
    .toBuffer()
  return { name: 'heavy.png', mimeType: 'image/png', buffer }
}

/** Makes a logo like those from a print shop. */
async function printedLogo() {
  const { buffer } = await goodLogo()
  return {
    name: 'print.jpg',
    mimeType: 'image/jpeg',
    buffer: await sharp(buffer).toColourspace('cmyk').jpeg().toBuffer(),
  }
}

const text = (name: string, mimeType: string, words: string) => ({ name, mimeType, buffer: Buffer.from(words) })

test('what is wrong with a file is said before the connection is used, in the words of the spec', async ({
  page,
  origin,
}) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  const { buffer } = await goodLogo()
  const cases = [
    [text('logo.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'), 'Logo must be JPEG or PNG.'],
    // Its name and type do not match its content.
    [text('logo.png', 'image/png', 'GIF89a'), 'Logo must be JPEG or PNG.'],
    [text('empty.png', 'image/png', ''), 'Logo must be JPEG or PNG.'],
    [{ ...(await goodLogo()), buffer: buffer.subarray(0, 30) }, 'The image could not be loaded. Choose another file.'],
    [await imageFile('square.png', { width: 300, height: 300 }), 'Brand logo must have a 3:2 aspect ratio.'],
    [await imageFile('almost.png', { width: 155, height: 100 }), 'Brand logo must have a 3:2 aspect ratio.'],
    [await heavyLogo(240, 160), 'Brand logo size must be under 100KB.'],
    [await imageFile('tiny.png', { width: 3, height: 2 }), 'Brand logo must be at least 60x40 px.'],
    [
      await printedLogo(),
      'Logo must be in RGB, not CMYK: its colours would change. Crop it to fit, or save it as a new file.',
    ],
  ] as const
  for (const [file, words] of cases) {
    await dialog.locator('input[type=file]').setInputFiles(file)
    await expect(dialog.locator('[data-error]').getByText(words, { exact: true })).toBeVisible()
    await expect(dialog.getByText(file.name)).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).first().click()
    await expect(dialog.locator('[data-error]')).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'Choose file' })).toBeFocused()
  }
  expect(origin.sent('POST', PRESIGN)).toEqual([])
  expect(origin.requests.filter(PUTS)).toEqual([])
})

test('the cropper makes a heavy or square picture fit, with the keyboard alone', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await dialog.locator('input[type=file]').setInputFiles(await heavyLogo(400, 400))
  await dialog.getByRole('button', { name: 'Crop to fit' }).focus()
  await page.keyboard.press('Enter')
  const zoom = dialog.getByRole('slider', { name: 'Zoom' })
  await expect(zoom).toBeFocused()
  const frame = dialog.getByRole('application')
  await expect(frame).toBeVisible()
  await expectNoAxeViolations(page)
  const before = Number(await zoom.inputValue())
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => Number(await zoom.inputValue())).toBeGreaterThan(before)
  await page.keyboard.press('Shift+Tab')
  await expect(frame).toBeFocused()
  const image = dialog.locator('.reactEasyCrop_Image')
  const place = await image.evaluate((node) => node.style.transform)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => image.evaluate((node) => node.style.transform)).not.toBe(place)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('button', { name: 'Use this part' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
  await expect(dialog.getByRole('button', { name: 'Replace' })).toBeFocused()
  const { content_length: size, content_type: type } = JSON.parse(origin.sent('POST', PRESIGN)[0]!.body) as {
    content_length: number
    content_type: string
  }
  expect(type).toBe('image/png')
  expect(size).toBeLessThan(100 * 1_024)
})

test('a logo with other data behind it is offered to the cropper, which mends it', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  const logo = await goodLogo()
  const trailed = { ...logo, buffer: Buffer.concat([logo.buffer, Buffer.from('\n')]) }
  await dialog.locator('input[type=file]').setInputFiles(trailed)
  await expect(dialog.getByText(/^Logo has other data behind its picture, or ends too early\./)).toBeVisible()
  expect(origin.sent('POST', PRESIGN)).toEqual([])
  await dialog.getByRole('button', { name: 'Crop to fit' }).click()
  await dialog.getByRole('button', { name: 'Add brand' }).click()
  await expect(dialog.getByText('Press “Use this part” first.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use this part' }).click()
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
})

test('a browser that hides pictures from the page uploads a logo as it is, and says that it cannot crop', async ({
  page,
}) => {
  // As an extension against fingerprinting does.
  await page.addInitScript(() => {
    const { getImageData } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.getImageData = function (...area) {
      const pixels = getImageData.apply(this, area)
      crypto.getRandomValues(pixels.data)
      return pixels
    }
  })
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await dialog.locator('input[type=file]').setInputFiles(await imageFile('square.png', { width: 300, height: 300 }))
  await expect(dialog.getByText(/^Brand logo must have a 3:2 aspect ratio\. This browser hides pictures/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Crop to fit' })).toHaveCount(0)
  await uploadLogo(dialog, await goodLogo())
  await expect(dialog.locator('img[data-thumbnail]')).toHaveCount(0)
})

test('a file that has changed since it was chosen is to be chosen again, and the connection is not blamed', async ({
  page,
  origin,
}, testInfo) => {
  const path = testInfo.outputPath('logo.png')
  await writeFile(path, (await goodLogo()).buffer)
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await origin.setConnection({ kind: 'refuse' }, PUTS)
  await dialog.locator('input[type=file]').setInputFiles(path)
  await expect(dialog.getByText('The upload was cut off. Try again when there is a connection.')).toBeVisible({
    timeout: 20_000,
  })
  await origin.setConnection({ kind: 'up' })
  await writeFile(path, await makeImage({ width: 150, height: 100 }))
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText('This file has changed or cannot be read. Choose it again.')).toBeVisible()
  await dialog.locator('input[type=file]').setInputFiles(path)
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
})

test('an upload on a slow connection can be cancelled, and another file chosen', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await origin.setConnection({ kind: 'hang' }, PUTS)
  await dialog.locator('input[type=file]').setInputFiles(await goodLogo())
  await expect(dialog.getByRole('progressbar', { name: 'Uploading logo.png' })).toBeVisible({ timeout: 20_000 })
  await expect(dialog.getByText(/^Uploading, .+ of .+$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).first().click()
  await expect(dialog.getByRole('button', { name: 'Choose file' })).toBeFocused()
  await origin.setConnection({ kind: 'up' })
  await uploadLogo(dialog, await imageFile('second.png', { width: 150, height: 100 }))
  await expect(dialog.getByText('second.png', { exact: true })).toBeVisible()
})

test('an upload that was cut off is tried again with a tap, under a new address', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await origin.setConnection({ kind: 'refuse' }, PUTS)
  await dialog.locator('input[type=file]').setInputFiles(await goodLogo())
  await expect(dialog.getByText('The upload was cut off. Try again when there is a connection.')).toBeVisible({
    timeout: 20_000,
  })
  await origin.setConnection({ kind: 'up' })
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
  const stored = origin.requests.filter(PUTS).filter(({ status }) => status === 200)
  expect(stored).toHaveLength(1)
  expect(new Set(origin.requests.filter(PUTS).map(({ path }) => path)).size).toBeGreaterThan(1)
})

test('a hotel page that answers in the place of the store has stored nothing', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await origin.setConnection({ kind: 'captive' }, PUTS)
  await dialog.locator('input[type=file]').setInputFiles(await goodLogo())
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible({ timeout: 20_000 })
  await expect(dialog.getByText(/, uploaded$/)).toHaveCount(0)
})

test('UPL-09: a visitor who uploads too much is told how long to wait', async ({ page, origin }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await uploadLogo(dialog, await goodLogo())
  await changeRows(origin.database.db, 'throttle', {}, { failures: 10_000 })
  await dialog.locator('input[type=file]').setInputFiles(await goodLogo())
  await expect(dialog.getByText(/^Too many uploads\. Try again in \d+ minutes/)).toBeVisible({ timeout: 20_000 })
})

test('a dropped file is taken like a chosen one', async ({ page }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  const bytes = [...(await goodLogo()).buffer]
  const transfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(content)], 'dropped.png', { type: 'image/png' }))
    return data
  }, bytes)
  await dialog.getByRole('button', { name: 'Choose file' }).dispatchEvent('drop', { dataTransfer: transfer })
  await expect(dialog.getByText('dropped.png', { exact: true })).toBeVisible()
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
})
