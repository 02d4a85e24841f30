import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { buildDirectory } from '../../support/browser/builds.ts'
import { expectFitsEveryWidth } from '../../support/browser/everyWidth.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { FileFault, PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  checkForUpdate,
  chunkOf,
  countLoads,
  expectBuild,
  filesOnlyIn,
  hideTab,
  refreshButton,
  UPDATE_PROMPT,
  updatePrompt,
} from '../../support/browser/updates.ts'
import { probeWithoutEnd } from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { acceptTerms, addBrand, clearThrottles, fillApplication } from '../../support/merchants/applicationForm.ts'
import { merchantWithPast } from '../../support/merchants/merchantWithPast.ts'

/** Opens /login of release 1, served by its worker. */
async function atLogin(page: Page) {
  await page.goto('/login')
  await readyOffline(page)
}

/** Logs in, with every screen of release 1 on the device. */
async function loggedIn(page: Page, origin: PortalOrigin) {
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  await readyOffline(page)
}

/** Deploys release 2 and waits until the page offers it. */
async function offered(page: Page, origin: PortalOrigin) {
  origin.deploy('2')
  await checkForUpdate(page)
  await expect(updatePrompt(page)).toBeVisible()
}

const FIELD = 'Organisation name'

/** Begins an application and stops typing; then release 2 is offered. */
async function amidForm(page: Page, origin: PortalOrigin) {
  await page.clock.install()
  await page.goto('/register?type=hrp')
  await readyOffline(page)
  await page.getByLabel(FIELD).fill('Kopi & Grain')
  origin.deploy('2')
  await checkForUpdate(page)
  await expect(updatePrompt(page)).toHaveCount(0)
  await page.clock.fastForward(11_000)
  await expect(updatePrompt(page)).toBeVisible()
}

test.describe('the prompt', () => {
  test('offline 8: a new build is offered in the words of the spec when the tab gets the focus, and not on paper', async ({
    page,
    origin,
  }) => {
    await atLogin(page)
    origin.deploy('2')
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(
      page.getByRole('status').filter({ hasText: UPDATE_PROMPT }).getByText(UPDATE_PROMPT, { exact: true }),
    ).toBeVisible()
    await expectBuild(page, '1')
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByText(UPDATE_PROMPT, { exact: true })).toBeHidden()
  })

  test('offline 9: accepted, it lands on the new build with one reload @short', async ({ page, origin }) => {
    const { main } = await makeMerchant(origin.database.db)
    await logIn(page, main)
    await readyOffline(page)
    await page.reload()
    const loads = countLoads(page)
    await offered(page, origin)
    await refreshButton(page).click()
    await expectBuild(page, '2')
    await expect(updatePrompt(page)).toHaveCount(0)
    expect(loads()).toBe(1)
  })

  test('it stands above the foot of a form and below a toast, and covers neither', async ({ page, origin }) => {
    test.slow()
    const { main } = await merchantWithPast(origin)
    await logIn(page, main, '/vouchers?view=all')
    await readyOffline(page)
    await expect(page.locator('tbody td a').first()).toBeVisible()
    await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === '/api/voucher/export')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const toast = page.getByText('The list was not exported.')
    await expect(toast).toBeVisible()
    await offered(page, origin)
    await expectFitsEveryWidth(page, 'list with the update prompt and a toast')
    await page.getByRole('link', { name: 'Masters' }).first().click()
    await page.getByRole('link', { name: 'Create master' }).first().click()
    await expect(page.getByRole('button', { name: 'Create master' })).toBeVisible()
    await expect(toast).toBeVisible()
    await expect(updatePrompt(page)).toBeVisible()
    await expectFitsEveryWidth(page, 'form with the update prompt and a toast')
  })

  test('offline 10: Later keeps the build, and a reload offers the new one again', async ({ page, origin }) => {
    await atLogin(page)
    await offered(page, origin)
    await page.getByRole('button', { name: 'Later' }).click()
    await expect(updatePrompt(page)).toHaveCount(0)
    await page.reload()
    await expectBuild(page, '1')
    await expect(updatePrompt(page)).toBeVisible()
  })

  test('offline 13: accepted after another tab let the worker take over, the page is loaded anew at once', async ({
    page,
    context,
    origin,
  }) => {
    await atLogin(page)
    const other = await context.newPage()
    await atLogin(other)
    await offered(page, origin)
    await refreshButton(other).click()
    await expectBuild(other, '2')
    const loads = countLoads(page)
    await refreshButton(page).click()
    await expect(page.locator('html')).toHaveAttribute('data-build', '2', { timeout: 4_000 })
    expect(loads()).toBe(1)
  })

  test('offline 14: a worker that will not take over costs one reload, and no loop', async ({ page, origin }) => {
    await atLogin(page)
    const loads = countLoads(page)
    origin.deploy('2', { '/sw.js': { kind: 'text', text: 'self.addEventListener("message", () => undefined)' } })
    await checkForUpdate(page)
    await refreshButton(page).click()
    await expect.poll(loads).toBe(1)
    await expect(updatePrompt(page)).toBeVisible()
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByLabel('Email').fill('usable')
    await expectBuild(page, '1')
    expect(loads()).toBe(1)
  })

  test('offline 16: a second tab that nobody looks at follows by itself, once @short', async ({
    page,
    context,
    origin,
  }) => {
    await atLogin(page)
    const second = await context.newPage()
    await second.goto('/terms-of-use')
    await expect(second.getByRole('heading', { level: 1 })).toBeVisible()
    await readyOffline(second)
    await hideTab(second)
    await offered(page, origin)
    const loads = countLoads(second)
    await refreshButton(page).click()
    await expectBuild(page, '2')
    await expectBuild(second, '2')
    await second.goto('/login')
    await expectBuild(second, '2')
    expect(loads()).toBe(2)
  })

  test('a second tab that is in use is not reloaded by the first, hidden or not, and gets there with its own tap', async ({
    page,
    context,
    origin,
  }) => {
    await atLogin(page)
    const second = await context.newPage()
    await second.goto('/login')
    await second.getByLabel('Email').fill('half typed')
    await hideTab(second)
    await offered(page, origin)
    await refreshButton(page).click()
    await expectBuild(page, '2')
    await expect(updatePrompt(second)).toBeVisible()
    await expect(second.getByLabel('Email')).toHaveValue('half typed')
    await expectBuild(second, '1')
    await refreshButton(second).click()
    await expectBuild(second, '2')
  })

  for (const which of ['the tab itself', 'another tab'] as const) {
    test(`traffic of ${which} does not keep the old worker from going`, async ({ page, context, origin }) => {
      await atLogin(page)
      const busy = which === 'another tab' ? await context.newPage() : page
      if (busy !== page) await atLogin(busy)
      await offered(page, origin)
      await probeWithoutEnd(busy)
      const loads = countLoads(page)
      await refreshButton(page).click()
      await expectBuild(page, '2')
      expect(loads()).toBe(1)
    })
  }

  test('offline 23: ten looks for an update while the server is down are no news', async ({ page, origin }) => {
    await page.clock.install()
    await atLogin(page)
    await origin.setConnection({ kind: 'refuse' })
    for (let look = 0; look < 10; look++) {
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await page.clock.fastForward(6_000)
      expect(await checkForUpdate(page)).toBe(false)
    }
    await expect(updatePrompt(page)).toHaveCount(0)
    await origin.setConnection({ kind: 'up' })
    await offered(page, origin)
  })
})

test.describe('unsaved work', () => {
  test('offline 17 and WEB-09: accepted amid a form, it asks; Cancel keeps the build, the prompt and what was typed @short', async ({
    page,
    origin,
  }) => {
    await amidForm(page, origin)
    await refreshButton(page).click()
    const question = page.getByRole('alertdialog', { name: 'Save what you typed?' })
    for (const act of ['Save', 'Discard', 'Cancel']) {
      await expect(question.getByRole('button', { name: act, exact: true })).toBeVisible()
    }
    await question.getByRole('button', { name: 'Cancel' }).click()
    await expect(question).toHaveCount(0)
    await expectBuild(page, '1')
    await expect(updatePrompt(page)).toBeVisible()
    await expect(page.getByLabel(FIELD)).toHaveValue('Kopi & Grain')
  })

  test('offline 17: Discard lands on the new build with an empty form', async ({ page, origin }) => {
    await amidForm(page, origin)
    await refreshButton(page).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expectBuild(page, '2')
    await expect(page.getByLabel(FIELD)).toHaveValue('')
    await expect(page.getByText(/^This is your draft of/)).toHaveCount(0)
  })

  test('offline 17: where nothing can be stored, Save keeps the build, and says so', async ({ page, origin }) => {
    await amidForm(page, origin)
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('no room', 'QuotaExceededError')
      }
    })
    await refreshButton(page).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('This device has no room for what you typed. The page was not reloaded.')).toBeVisible()
    await expectBuild(page, '1')
    await expect(updatePrompt(page)).toBeVisible()
  })

  test('offline 18: Save brings every answer of an application to the new build', async ({ page, origin }) => {
    await clearThrottles(origin)
    await page.clock.install()
    await page.goto('/register?type=hrp')
    await readyOffline(page)
    await fillApplication(page, 'owner@kopi.example')
    await addBrand(page, { name: 'Kopi', email: 'kopi@kopi.example' })
    await acceptTerms(page)
    origin.deploy('2')
    await checkForUpdate(page)
    await page.getByLabel(FIELD).fill('Kopi & Grain of the East')
    await page.clock.fastForward(11_000)
    await refreshButton(page).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click()
    await expectBuild(page, '2')
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('owner@kopi.example')
    await expect(page.getByLabel(FIELD)).toHaveValue('Kopi & Grain of the East')
    await expect(page.getByLabel('Office address')).toHaveValue('4 Tampines Central 5, #02-14')
    await expect(page.getByLabel('Postal code')).toHaveValue('529510')
    await expect(page.getByLabel('Yes', { exact: true })).toBeChecked()
    await expect(page.getByLabel('Credit terms in days')).toHaveValue('30')
    await expect(page.getByLabel(/^I accept the Terms/)).toBeChecked()
    await expect(page.getByText('Kopi', { exact: true })).toBeVisible()
  })
})

test.describe('a build that cannot be fetched whole', () => {
  const chunk = () => chunkOf('2', 'vouchers')
  const faults: [string, () => Record<string, FileFault>][] = [
    ['that lacks a file', () => ({ [chunk()]: { kind: 'missing' } })],
    ['with a page in place of a script', () => ({ [chunk()]: { kind: 'page' } })],
    ['with a page that says it is a script', () => ({ [chunk()]: { kind: 'page as script' } })],
    ['with half a file', () => ({ [chunk()]: { kind: 'half' } })],
    ['whose first page is not its own', () => ({ '/index.html': { kind: 'page' } })],
    ['whose worker is a page', () => ({ '/sw.js': { kind: 'page' } })],
    ['whose worker is half there', () => ({ '/sw.js': { kind: 'half' } })],
    ['whose worker is missing', () => ({ '/sw.js': { kind: 'missing' } })],
    ['whose worker fails', () => ({ '/sw.js': { kind: 'failure' } })],
  ]
  for (const [what, spoilt] of faults) {
    test(`offline 19: a build ${what} is not offered, the old one works, and the next look gets it`, async ({
      page,
      origin,
      pageWatch,
    }) => {
      pageWatch.forgive(
        /digest|integrity|status of (404|500)|MIME type|fetching the script|SyntaxError|bad-precaching/i,
      )
      await loggedIn(page, origin)
      origin.deploy('2', spoilt())
      expect(await checkForUpdate(page)).toBe(false)
      await expect(updatePrompt(page)).toHaveCount(0)
      await page.goto('/terms-of-use')
      await expectBuild(page, '1')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await offered(page, origin)
      await refreshButton(page).click()
      await expectBuild(page, '2')
    })
  }
})

test('an update moves what changed, not what every screen imports', () => {
  const moved = filesOnlyIn('2', '1')
  expect(moved).toContain(chunkOf('2', 'index'))
  expect(moved).not.toContain(chunkOf('2', 'core'))
  const bytes = moved.map((path) => statSync(join(buildDirectory('2'), `${path}.br`)).size)
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
})

test('a tab of the build before gets every file of it, though the server has only the new one', async ({
  page,
  context,
  origin,
}) => {
  await loggedIn(page, origin)
  const old = await context.newPage()
  await old.goto('/branches/create')
  await old.getByLabel('Branch name').fill('in use')
  await offered(page, origin)
  await refreshButton(page).click()
  await expectBuild(page, '2')
  const files = filesOnlyIn('1', '2')
  expect(files).toContain(chunkOf('1', 'vouchers'))
  const got = await old.evaluate(
    (paths) =>
      Promise.all(
        paths.map(async (path) => {
          const file = await fetch(path, { cache: 'no-store' })
          return `${file.status} ${file.headers.get('content-type')?.split(';')[0]}`
        }),
      ),
    files,
  )
  expect(new Set(got)).toEqual(new Set(['200 text/javascript']))
  await expectBuild(old, '1')
})
