import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { chromiumLaunch } from '../../support/browser/chromium.ts'
import { expect, test as base } from '../../support/browser/fixtures.ts'
import { makeMerchant, PASSWORD } from '../../support/database/builders.ts'
import { logInAtCounter, verdict, verifySerial } from '../../support/redemptions/counterPage.ts'
import { readQr } from '../accounts/readQr.ts'

interface Browser {
  /** As policies set them, too: a policy is a preference that nobody can change. */
  preferences?: object
  args?: string[]
  size?: { width: number; height: number }
}

/** A test with a page of a Chromium whose owner, or whose company, has set it up in another way. */
const test = base.extend<{ pageOf: (browser: Browser) => Promise<Page> }>({
  pageOf: async ({ origin }, give) => {
    const closing: (() => Promise<void>)[] = []
    await give(async ({ preferences, args = [], size = { width: 1280, height: 800 } }) => {
      const profile = await mkdtemp(join(tmpdir(), 'profile-'))
      await mkdir(join(profile, 'Default'))
      await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(preferences ?? {}))
      const launch = chromiumLaunch()
      const context = await chromium.launchPersistentContext(profile, {
        ...launch,
        args: [...launch.args, ...args],
        baseURL: origin.url,
        viewport: size,
        colorScheme: null,
      })
      closing.push(async () => {
        await context.close()
        await rm(profile, { recursive: true, force: true })
      })
      return context.newPage()
    })
    for (const close of closing) await close()
  },
})

test('a code can be read where the browser forces a dark theme on the page', async ({ pageOf, origin }) => {
  const page = await pageOf({ args: ['--enable-features=WebContentsForceDark'] })
  const { main, branch } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await page.goto('/devices')
  await page.getByRole('button', { name: 'Add a till' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Till 2')
  // Before a branch is chosen, the form says what lacks, in words.
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  await expect(dialog.getByText('Branch is required.')).toBeVisible()
  await dialog.getByLabel('Branch').selectOption({ label: branch.name })
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  const code = page.getByRole('img', { name: 'Code to scan' })
  await expect(code).toBeVisible()
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  expect(await readQr(await code.screenshot()), `on ${ground}`).toContain('/enrol#token=')
})

test('a browser that may not print says so', async ({ pageOf, origin }) => {
  const page = await pageOf({})
  // As Chromium does with a window and the policy PrintingEnabled off. Without a window it has no printing to forbid.
  await page.addInitScript(() => {
    window.print = () => undefined
  })
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible()
  await page.getByRole('button', { name: 'Receipt' }).click()
  await page.getByRole('button', { name: 'Print', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('This browser does not let the portal print')
})

test('a browser that may not give devices or a camera to a page says so', async ({ pageOf, origin }) => {
  const blocked = { serial_guard: 2, usb_guard: 2, bluetooth_guard: 2, media_stream_camera: 2 }
  const page = await pageOf({
    preferences: { profile: { default_content_setting_values: blocked } },
    args: ['--use-fake-device-for-media-stream'],
  })
  await logInAtCounter(page, origin)
  await page.getByRole('button', { name: 'Use camera' }).click()
  await expect(page.getByText('This browser does not let the portal use the camera.')).toBeVisible()
  await page.goto('/settings/device')
  for (const way of ['serial port', 'USB']) {
    // On a busy machine even this answer may be late once.
    await expect(async () => {
      await page.getByRole('button', { name: `Connect via ${way}` }).click()
      await expect(page.getByText('This browser does not let the portal use such a printer.')).toBeVisible({
        timeout: 2_000,
      })
    }).toPass()
  }
})

test('a file that the browser refuses without a word can be saved again', async ({ pageOf, origin }) => {
  const page = await pageOf({ preferences: { download_restrictions: 3 } })
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  await page.goto('/branches?q=branch')
  await page.getByRole('button', { name: 'Export CSV' }).click()
  await expect(page.getByText(/\. Not in Downloads\? Save again\.$/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save again' })).toBeVisible()
})

/** Elements of text whose letters lie on those of another. */
const overlapping = (page: Page) =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll<HTMLElement>('h1, h2, p, b, small, span, dd, dt')].filter(
      (element) =>
        element.children.length === 0 &&
        element.innerText?.trim() &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !element.closest('.sr-only, [aria-hidden=true]'),
    )
    const lines = texts.flatMap((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      // What scrolls below a bar that stays in view is no overlap.
      const place = element.closest('header, main, section')
      return [...range.getClientRects()].map((box) => ({ element, box, place }))
    })
    // The box of a letter is a little higher than its line.
    const over = 6
    const isOver = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > over &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > over
    return lines.flatMap(({ element, box, place }, at) =>
      lines
        .slice(at + 1)
        .filter((other) => other.element !== element && other.place === place && isOver(box, other.box))
        .map((other) => `${element.innerText} / ${other.element.innerText}`),
    )
  })

for (const [name, webprefs, size] of [
  ['very large letters', { default_font_size: 24 }, { width: 1280, height: 800 }],
  ['a smallest font size of 24', { minimum_font_size: 24 }, { width: 1280, height: 800 }],
  ['a zoom of 400 %', {}, { width: 320, height: 256 }],
] as const) {
  test(`with ${name} a voucher is redeemed, and its verdict is whole and in view`, async ({ pageOf, origin }, info) => {
    const page = await pageOf({ preferences: { webkit: { webprefs } }, size })
    const { voucher } = await logInAtCounter(page, origin)
    await page.screenshot({ path: info.outputPath('counter.png') })
    expect(await overlapping(page)).toEqual([])
    await verifySerial(page, voucher.serial)
    await page.getByRole('button', { name: 'Redeem $10.00' }).click()
    await expect(verdict(page, 'Redeemed')).toBeInViewport({ ratio: 1 })
    await page.screenshot({ path: info.outputPath('verdict.png') })
    const isCut = await verdict(page, 'Redeemed').evaluate((word) => word.scrollWidth > word.clientWidth)
    expect(isCut, 'the word is cut off').toBe(false)
    expect(await overlapping(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
}

test('a browser that stores nothing, cookies neither, says so and logs in all the same', async ({
  pageOf,
  origin,
}, info) => {
  const page = await pageOf({ preferences: { profile: { default_content_setting_values: { cookies: 2 } } } })
  await page.goto('/login')
  await page.getByLabel('Email').fill((await makeMerchant(origin.database.db)).main.loginName)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByText('This browser stores nothing on this device')).toBeVisible()
  await page.screenshot({ path: info.outputPath('dashboard.png') })
})
