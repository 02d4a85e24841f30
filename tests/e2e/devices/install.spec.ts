import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test, testOnDisk } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { followBadge, openSupport, panel } from '../../support/devices/devicePage.ts'
import {
  isRedemption,
  logInAtCounter,
  UPLOADING,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'

const DEVICE = '/settings/device'
const INSTALL = 'Install the portal'

async function openDevice(page: Page, origin: PortalOrigin) {
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  await page.goto(DEVICE)
  await expect(page.getByRole('heading', { level: 1, name: 'This device' })).toBeVisible()
  await openSupport(page)
}

test('offline 69: an offer to install that comes before the app has loaded is not lost', async ({ page, origin }) => {
  await page.addInitScript(() => {
    const offers: Event[] = []
    const answers: string[] = []
    Object.assign(window, { offers, answers })
    // At "interactive" the document is parsed and the boot script has run, but the app, a module, has not.
    document.addEventListener('readystatechange', () => {
      if (document.readyState !== 'interactive') return
      const prompt = async () => ({ outcome: answers.push('asked') > 0 ? 'accepted' : 'dismissed' })
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
      offers.push(offer)
      dispatchEvent(offer)
    })
  })
  await openDevice(page, origin)
  const seen = await page.evaluate(() =>
    (window as never as { offers: Event[] }).offers.map((one) => one.defaultPrevented),
  )
  expect(seen).toEqual([true])
  const button = panel(page, INSTALL).getByRole('button', { name: 'Install' })
  await button.click()
  await expect(button).toHaveCount(0)
  expect(await page.evaluate(() => (window as never as { answers: string[] }).answers)).toEqual(['asked'])
})

test('the installed app offers no installing, and an iPad gets its steps in words', async ({
  page,
  browser,
  origin,
}) => {
  await page.addInitScript(() => {
    const ask = matchMedia
    window.matchMedia = (query) => ask.call(window, query === '(display-mode: standalone)' ? 'all' : query)
  })
  await openDevice(page, origin)
  await expect(panel(page, 'The portal')).toBeVisible()
  await expect(panel(page, INSTALL)).toHaveCount(0)
  const tablet = await browser.newContext({ baseURL: origin.url })
  await tablet.addInitScript(() => Object.assign(navigator, { standalone: false }))
  const safari = await tablet.newPage()
  await openDevice(safari, origin)
  await expect(panel(safari, INSTALL)).toContainText('Add to Home Screen')
  await tablet.close()
})

interface ManifestPicture {
  src: string
  sizes: string
}

interface Manifest {
  icons: ManifestPicture[]
  screenshots: (ManifestPicture & { form_factor: string; label: string })[]
  shortcuts: { url: string; icons: ManifestPicture[] }[]
}

testOnDisk(
  'offline 70: the browser finds nothing against installing, and a new build is the same app',
  async ({ origin, openBrowser }) => {
    const context = await openBrowser()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    const ids: unknown[] = []
    for (const build of ['1', '2'] as const) {
      origin.deploy(build)
      await page.goto('/login')
      await readyOffline(page)
      if (build === '2') await page.getByRole('button', { name: 'Refresh' }).click()
      await expect(page.locator('html')).toHaveAttribute('data-build', build)
      const { errors, url } = await session.send('Page.getAppManifest')
      expect(url).toBe(`${origin.url}/manifest.webmanifest`)
      expect(errors).toEqual([])
      expect((await session.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
      ids.push((await session.send('Page.getAppId')).appId)
    }
    expect(ids).toEqual([`${origin.url}/`, `${origin.url}/`])
  },
)

test('every picture of the manifest is there in its size, none is precached, and shortcuts open without a connection', async ({
  page,
  request,
  origin,
}) => {
  const manifest = (await (await request.get('/manifest.webmanifest')).json()) as Manifest
  const { icons, screenshots, shortcuts } = manifest
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]
  for (const { src, sizes } of pictures.filter((picture) => picture.sizes !== 'any')) {
    const { width, height } = await sharp(await (await request.get(src)).body()).metadata()
    expect(`${width}x${height}`, src).toBe(sizes)
  }
  expect(new Set(screenshots.map((shot) => shot.form_factor))).toEqual(new Set(['wide', 'narrow']))
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  await readyOffline(page)
  const cached = await page.evaluate(async () => {
    const all = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
    return all.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached).toContain('/manifest.webmanifest')
  expect(cached.filter((path) => /^\/(icons|screenshots|shortcuts)\//.test(path))).toEqual([])
  await origin.setConnection({ kind: 'refuse' })
  for (const { url } of shortcuts) {
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // A merchant has no counter: that shortcut leads home.
    const { pathname } = new URL(url, origin.url)
    await expect(page).toHaveURL((at) => at.pathname === (pathname === '/redeem' ? '/dashboard' : pathname))
  }
})

test('offline 72: the update prompt fills a region that stood there, takes no focus, and is reached by Tab and by thumb', async ({
  browser,
  origin,
}) => {
  const context = await browser.newContext({
    baseURL: origin.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await page.goto('/login')
  await readyOffline(page)
  const region = page.locator('[data-update-bar][role=status]')
  await expect(region).toBeAttached()
  await expect(region).toHaveText('')
  await region.evaluate((stands) => Object.assign(window, { stands }))
  await page.getByLabel('Email').focus()
  origin.deploy('2')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(region).toContainText('New version available. Refresh now?')
  expect(await region.evaluate((now) => now === (window as never as { stands: Element }).stands)).toBe(true)
  await expect(page.getByLabel('Email')).toBeFocused()
  await expectNoAxeViolations(page)
  for (const name of ['Later', 'Refresh']) {
    const button = region.getByRole('button', { name })
    const box = (await button.boundingBox())!
    expect(Math.min(box.width, box.height), name).toBeGreaterThanOrEqual(44)
    await expect(async () => {
      await page.keyboard.press('Tab')
      await expect(button).toBeFocused({ timeout: 50 })
    }).toPass()
  }
  await context.close()
})

test('the badge of the app counts what the till has not uploaded, with nobody logged in too', async ({
  page,
  origin,
}) => {
  const badge = await followBadge(page)
  const { voucher } = await logInAtCounter(page, origin)
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expect.poll(badge).toBe(1)
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await page.reload()
  await expect.poll(badge).toBe(1)
  await origin.setConnection({ kind: 'up' })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect.poll(badge).toBe(0)
})
