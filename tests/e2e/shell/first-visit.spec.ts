import type { Page } from '@playwright/test'
import { readyOffline, logInByHand } from '../../support/accounts/logIn.ts'
import { field } from '../../support/accounts/loginPage.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expectAppTookOver, firstScreen } from '../../support/browser/firstScreen.ts'
import { expect, testFirstVisit as test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { countLoads, disableHttpCache } from '../../support/browser/updates.ts'
import { connectionBanner, fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, PASSWORD } from '../../support/database/builders.ts'

/*
 * First visits over a connection that loses a file: there is no worker yet, and nothing in the cache.
 */

const words = (page: Page) => page.getByRole('status').filter({ hasText: 'Not everything could be loaded.' })

const FIRST_SCRIPT = /\/index-.*\.js$/

/** Opens `path` on a connection that refuses every file matching `pattern`, and waits until one of them has failed. */
async function openWithout(page: Page, origin: PortalOrigin, pattern: RegExp, path = '/login') {
  await origin.setConnection({ kind: 'refuse' }, (request) => pattern.test(request.path))
  const failed = page.waitForEvent('requestfailed', (request) => pattern.test(request.url()))
  await page.goto(path, { waitUntil: 'commit' })
  await failed
}

/** True when the style sheet has loaded: a browser does not show the rules of one that has failed. */
const isStyled = (page: Page) =>
  page.evaluate(() => {
    const sheet = [...document.styleSheets].find(({ href }) => href?.includes('/index-'))
    try {
      return sheet !== undefined && sheet.cssRules.length > 0
    } catch {
      return false
    }
  })

/** Compressed bytes. More of them mean more seconds until a login is possible on a bad connection. */
const LOGIN_BYTES = 105_800

test('the login asks for at most 105,800 bytes of scripts @short', async ({ page }) => {
  await page.goto('/login')
  await expectAppTookOver(page)
  const sizes = await page.evaluate(async () => {
    const html = await (await fetch('/login')).text()
    const scripts = new Set(
      [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path = '']) => new URL(path, location.href).href),
    )
    const asked = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return [...scripts].map((url) => asked.find(({ name }) => name === url)?.encodedBodySize ?? Infinity)
  })
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(LOGIN_BYTES)
})

for (const [what, file] of [
  ['first script', FIRST_SCRIPT],
  ['core', /\/core-.*\.js$/],
  ['style sheet', /\/index-.*\.css$/],
  ['own part', /\/login-.*\.js$/],
] as const) {
  test(`without its ${what} the login says so, keeps what is typed, and goes on by itself once the connection is back`, async ({
    page,
    origin,
  }) => {
    const loads = countLoads(page)
    await openWithout(page, origin, file)
    await expect(words(page)).toBeVisible()
    await field(page, 'Email').fill('main@test.example')
    await field(page, 'Password').fill('half a pass')
    await expect(firstScreen(page)).toBeVisible()
    await origin.setConnection({ kind: 'up' })
    await expectAppTookOver(page)
    await expect(words(page)).toHaveCount(0)
    await expect(field(page, 'Email')).toHaveValue('main@test.example')
    await expect(field(page, 'Password')).toHaveValue('half a pass')
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
    expect(await isStyled(page)).toBe(true)
    expect(loads()).toBe(1)
  })
}

test('what was typed and pressed while a script was lost is carried out once it has come @short', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await openWithout(page, origin, /\/core-.*\.js$/)
  await field(page, 'Email').fill(main.loginName)
  await field(page, 'Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(words(page)).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await expect(page).toHaveURL('/dashboard')
})

test('what is missing is asked for at once when somebody presses the button', async ({ page, origin }) => {
  await openWithout(page, origin, FIRST_SCRIPT)
  await expect(words(page)).toBeVisible()
  await expectNoAxeViolations(page)
  // The next automatic check is five seconds away.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await origin.setConnection({ kind: 'up' })
  const asked = page.waitForResponse((answer) => FIRST_SCRIPT.test(answer.url()))
  await words(page).getByRole('button', { name: 'Try now' }).press('Enter')
  await asked
  await page.clock.resume()
  await expect(page.locator('html')).toHaveAttribute('data-build', /./)
})

test('a page that has nothing drawn says what is missing too, and comes once the connection is back', async ({
  page,
  origin,
}) => {
  await openWithout(page, origin, /\/core-.*\.js$/, '/register')
  await expect(words(page)).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(words(page)).toHaveCount(0)
})

test('a page that has nothing drawn gets its looks once the connection is back', async ({ page, origin }) => {
  await openWithout(page, origin, /\/index-.*\.css$/, '/register')
  expect(await isStyled(page)).toBe(false)
  await origin.setConnection({ kind: 'up' })
  await expect.poll(() => isStyled(page)).toBe(true)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a line that takes its time: the login says that it is still loading', async ({ page, origin }) => {
  await origin.setConnection({ kind: 'slow', delayMs: 6_000 }, ({ path }) => /\/core-.*\.js$/.test(path))
  await page.goto('/login', { waitUntil: 'commit' })
  const waiting = page.getByRole('status').filter({ hasText: 'Still loading.' })
  await expect(waiting).toBeVisible()
  await field(page, 'Email').fill('main@test.example')
  await expectAppTookOver(page)
  await expect(waiting).toHaveCount(0)
  await expect(field(page, 'Email')).toHaveValue('main@test.example')
})

testWithWorker(
  'a connection that fails after the first screen: the worker comes once it is back',
  async ({ page, origin }) => {
    await openWithout(page, origin, /\/startOffline-/)
    await expect(page.getByLabel('Email')).toBeVisible()
    await origin.setConnection({ kind: 'up' })
    await readyOffline(page)
  },
)

testWithWorker(
  'a connection that fails after the first screen: the screen stays, and the rest comes once it is back',
  async ({ page, origin }) => {
    await openWithout(page, origin, /\/Overlays-/)
    await page.getByLabel('Email').fill('half typed')
    await expect(page.locator('[data-connectivity]')).toHaveCount(0)
    await origin.setConnection({ kind: 'up' })
    await expect(page.locator('[data-connectivity]')).toBeAttached()
    await expect(page.getByLabel('Email')).toHaveValue('half typed')
  },
)

/** Logs in without a worker: the device has only the files that were needed so far. */
async function loggedInWithout(page: Page, origin: PortalOrigin, file: RegExp) {
  await origin.setConnection({ kind: 'refuse' }, ({ path }) => path === '/sw.js' || file.test(path))
  await logInByHand(page, (await makeMerchant(origin.database.db)).main)
}

test('any script that comes after the first screen may be lost: nothing of the page breaks by it', async ({
  page,
  origin,
  pageWatch,
}) => {
  test.slow()
  pageWatch.forgive(/Failed to load resource/)
  await origin.setConnection({ kind: 'refuse' }, (request) => request.path === '/sw.js')
  await disableHttpCache(page)
  await page.goto('/login', { waitUntil: 'networkidle' })
  const html = await page.request.get('/login').then((answer) => answer.text())
  const scripts = origin.requests.map((request) => request.path).filter((path) => path.endsWith('.js'))
  const late = [...new Set(scripts)].filter((script) => !html.includes(script) && script !== '/sw.js')
  expect(late).toContainEqual(expect.stringMatching(/startOffline-/))
  for (const script of late) {
    await openWithout(page, origin, new RegExp(`(/sw.js|${script})$`))
    await page.waitForLoadState('networkidle')
  }
})

test('a dialog whose file the line loses leaves the screen as it is, and opens once it has come', async ({
  page,
  origin,
}) => {
  await loggedInWithout(page, origin, /\/NoticeDialog-/)
  await page.getByRole('button', { name: 'Notices' }).click()
  const waiting = page.getByRole('dialog', { name: 'Still downloading' })
  await expect(waiting).toBeVisible()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(waiting).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Notices' }).press('Enter')
  await expect(waiting).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await expect(page.getByRole('dialog', { name: 'Notices' })).toBeVisible()
  await expect(waiting).toHaveCount(0)
})

test('where the browser keeps a failed script, the page is loaded anew for it, and not again for a minute', async ({
  page,
  origin,
}) => {
  test.slow()
  await loggedInWithout(page, origin, /\/NoticeDialog-/)
  await disableHttpCache(page)
  // Like older browsers: an import fails again, although a fetch gets the file.
  const isImport = ({ path, headers }: (typeof origin.requests)[number]) =>
    path === '/sw.js' || (/\/NoticeDialog-/.test(path) && headers['sec-fetch-dest'] === 'script')
  await origin.setConnection({ kind: 'refuse' }, isImport)
  const loads = countLoads(page)
  await page.getByRole('button', { name: 'Notices' }).click()
  await expect.poll(loads, { timeout: 20_000 }).toBe(1)
  const asked = () => origin.requests.filter(isImport).length
  await page.getByRole('button', { name: 'Notices' }).click()
  const before = asked()
  await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(before + 2)
  expect(loads()).toBe(1)
})

test('where the browser keeps a failed script of the login, a press loads the page anew, and the next one logs in', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  const logInWith = async () => {
    await field(page, 'Email').fill(merchant.main.loginName)
    await field(page, 'Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
  }
  const isImport = ({ path, headers }: (typeof origin.requests)[number]) =>
    /\/attemptLogin-/.test(path) && headers['sec-fetch-dest'] === 'script'
  await origin.setConnection({ kind: 'refuse' }, isImport)
  const loads = countLoads(page)
  await page.goto('/login')
  await expectAppTookOver(page)
  await expect.poll(() => origin.requests.filter(isImport).length).toBeGreaterThan(0)
  await logInWith()
  await expect.poll(loads).toBe(2)
  await origin.restore()
  await page.reload()
  await expectAppTookOver(page)
  await logInWith()
  await expect(page).toHaveURL('/dashboard')
})

test('a screen whose file could not be fetched without a connection comes by itself once it is back', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/dynamically imported module/)
  await loggedInWithout(page, origin, /\/downloads-/)
  await expect(page.getByRole('link', { name: 'Downloads', exact: true })).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('link', { name: 'Downloads', exact: true }).click()
  await expect(page.getByText('This screen could not be shown')).toBeVisible()
  await expect(connectionBanner(page)).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  // The portal may have noticed by itself, and may be reloading the page at this moment.
  await fireOnline(page).catch(() => undefined)
  await expect(page.getByRole('heading', { name: 'Downloads', level: 1 })).toBeVisible()
})

for (const [what, file, form] of [
  ['the worker', '/sw.js', ' @short'],
  ['one of its files', '/app.html', ''],
]) {
  testWithWorker(
    `without ${what} there is no offline yet: it is installed by itself once the connection is back${form}`,
    async ({ page, origin }) => {
      const lost = () => origin.requests.filter(({ path }) => path === file).length
      await origin.setConnection({ kind: 'refuse' }, ({ path }) => path === file)
      await page.goto('/login')
      // The file is requested again automatically.
      await expect.poll(lost).toBeGreaterThan(2)
      await origin.setConnection({ kind: 'up' })
      await readyOffline(page)
    },
  )
}
