import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  cachedFiles,
  checkForUpdate,
  chunkOf,
  clearHttpCache,
  countLoads,
  disableHttpCache,
  expectBuild,
  wipeCaches,
} from '../../support/browser/updates.ts'
import { makeMerchant } from '../../support/database/builders.ts'

const TROUBLE = 'This screen could not be shown'
const trouble = (page: Page) => page.getByText(TROUBLE)
const sidebar = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function atDashboard(page: Page, origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await expect(heading(page, 'Dashboard')).toBeVisible()
}

test('offline 21: a screen whose file is gone from the device says so without a connection, and comes back with it @short', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/dynamically imported module/)
  await atDashboard(page, origin)
  await readyOffline(page)
  await page.goto('/resources')
  await expect(heading(page, 'Resources')).toBeVisible()
  // Cut first: the worker would store the file again from the network or from the browser's cache.
  await origin.setConnection({ kind: 'refuse' })
  await clearHttpCache(page)
  await disableHttpCache(page)
  const gone = chunkOf('1', 'vouchers')
  const deleted = await page.evaluate(async (path) => {
    for (const name of await caches.keys()) if (await (await caches.open(name)).delete(path)) return true
    return false
  }, gone)
  expect(deleted).toBe(true)
  const loads = countLoads(page)
  await page.goto('/vouchers')
  await expect(trouble(page)).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(trouble(page)).toBeVisible()
  await sidebar(page, 'Resources').click()
  await expect(heading(page, 'Resources')).toBeVisible()
  await sidebar(page, 'Vouchers').click()
  await expect(trouble(page)).toBeVisible()
  expect(loads()).toBe(1)
  await origin.setConnection({ kind: 'up' })
  // The tab may notice by itself before the press.
  await expect(async () => {
    if (await trouble(page).isVisible()) await page.getByRole('button', { name: 'Try again' }).click({ timeout: 1_000 })
    await expect(heading(page, 'Vouchers')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  expect(loads()).toBeLessThanOrEqual(2)
})

test.describe('in a tab that no worker serves', () => {
  test.use({ serviceWorkers: 'block' })
  test.beforeEach(({ pageWatch }) => pageWatch.forgive(/status of 404|dynamically imported module/))

  test('offline 22: a screen whose file is gone from the server costs one reload, and works', async ({
    page,
    origin,
  }) => {
    await atDashboard(page, origin)
    origin.deploy('2')
    const loads = countLoads(page)
    await sidebar(page, 'Vouchers').click()
    await expectBuild(page, '2')
    await expect(heading(page, 'Vouchers')).toBeVisible()
    expect(loads()).toBe(1)
  })

  test('offline 22: where the new build lacks it too, a card with Try again ends it', async ({ page, origin }) => {
    const missing = chunkOf('2', 'vouchers')
    await atDashboard(page, origin)
    origin.deploy('2', { [missing]: { kind: 'missing' } })
    const loads = countLoads(page)
    await sidebar(page, 'Vouchers').click()
    await expectBuild(page, '2')
    await expect.poll(loads).toBe(2)
    await expect(trouble(page)).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(trouble(page)).toBeVisible()
    expect(loads()).toBe(2)
    origin.deploy('2')
    // The try before may have found the file by now.
    await expect(async () => {
      if (await trouble(page).isVisible())
        await page.getByRole('button', { name: 'Try again' }).click({ timeout: 1_000 })
      await expect(heading(page, 'Vouchers')).toBeVisible({ timeout: 2_000 })
    }).toPass()
  })

  test('offline 22: a dialog whose file is gone from the server costs one reload, and no loop', async ({
    page,
    origin,
  }) => {
    const missing = chunkOf('1', 'NoticeDialog')
    await atDashboard(page, origin)
    origin.deploy('2', { [missing]: { kind: 'missing' } })
    const loads = countLoads(page)
    const notices = page.getByRole('button', { name: 'Notices' })
    const waiting = page.getByRole('dialog', { name: 'Still downloading' })
    await notices.click()
    await expect(waiting).toBeVisible()
    await expectBuild(page, '2')
    await notices.click()
    await expect(waiting).toBeVisible()
    origin.deploy('2')
    await expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible()
    expect(loads()).toBe(1)
  })

  test('offline 22: without a connection nothing is loaded anew', async ({ page, origin }) => {
    await atDashboard(page, origin)
    // The portal watches the connection from its first check on.
    await expect.poll(() => origin.sent('GET', '/api/health').length).toBeGreaterThan(0)
    await origin.setConnection({ kind: 'refuse' })
    const loads = countLoads(page)
    await sidebar(page, 'Vouchers').click()
    await expect(trouble(page)).toBeVisible()
    await expect(page.getByRole('banner').getByText('No answer', { exact: true }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(trouble(page)).toBeVisible()
    expect(loads()).toBe(0)
  })
})

test('offline 25: with the caches thrown away and the worker left, the portal starts from the network and fills them', async ({
  page,
  origin,
}) => {
  await atDashboard(page, origin)
  await readyOffline(page)
  const whole = await cachedFiles(page)
  expect(whole).toBeGreaterThan(100)
  await wipeCaches(page)
  await page.goto('/vouchers')
  await expect(heading(page, 'Vouchers')).toBeVisible()
  await expect.poll(() => cachedFiles(page), { timeout: 30_000 }).toBe(whole)
  await clearHttpCache(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.goto('/resources')
  await expect(heading(page, 'Resources')).toBeVisible()
})

test('offline 25: and with a newer build on the server, it starts that one', async ({ page, origin, pageWatch }) => {
  pageWatch.forgive(/status of 404|ERR_FAILED|dynamically imported module/)
  await page.goto('/login')
  await readyOffline(page)
  await page.goto('about:blank')
  await page.goto('/login')
  await wipeCaches(page)
  origin.deploy('2')
  await page.goto('/login')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expectBuild(page, '2')
})

test('offline 25: a first page whose script is gone from device and server is let go of, for the next start', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/status of 404|ERR_FAILED|integrity|digest/)
  await page.goto('/login')
  await readyOffline(page)
  origin.deploy('2')
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const file of await cache.keys())
        if (new URL(file.url).pathname.startsWith('/assets/')) await cache.delete(file)
    }
  })
  await clearHttpCache(page)
  await page.goto('/terms-of-use')
  await expect(async () => {
    await page.reload()
    await expect(heading(page, 'Terms of use')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expectBuild(page, '2')
})

test('offline 26: without a connection as well, a page says to open the portal once online, and its link does', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/status of 503/)
  await page.goto('/login')
  await readyOffline(page)
  await wipeCaches(page)
  await origin.setConnection({ kind: 'refuse' })
  const loads = countLoads(page)
  await page.goto('/terms-of-use')
  await expect(heading(page, 'Connect to open the portal')).toBeVisible()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect.poll(loads).toBe(2)
  await expect(heading(page, 'Connect to open the portal')).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(heading(page, 'Terms of use')).toBeVisible()
  expect(loads()).toBe(3)
  expect(await checkForUpdate(page)).toBe(true)
})
