import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  connectionBanner,
  fireOnline,
  neverIdle,
  pretendOffline,
  recordAnnouncements,
} from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'

const HEALTH = '/api/health'
const header = (page: Page) => page.getByRole('banner')

async function loggedIn(page: Page, origin: PortalOrigin, path = '/vouchers') {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main, path)
  await readyOffline(page)
  await expect.poll(() => origin.sent('GET', HEALTH).length).toBeGreaterThan(0)
  return main
}

test('offline 31: a server that is gone is known with the first call that fails, though the browser is "online"', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin)
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('link', { name: 'Resources' }).click()
  await expect(header(page).getByText('No answer', { exact: true })).toBeVisible()
  await expect(connectionBanner(page)).toContainText('Our service cannot be reached.')
  await expect(connectionBanner(page)).toContainText(
    /Last answer \d\d:\d\d today\. You can read pages you have opened before/,
  )
  expect(await page.evaluate(() => navigator.onLine)).toBe(true)
})

test('offline 31: a page that the browser never finds idle judges its line all the same', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await neverIdle(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(connectionBanner(page)).toContainText('Our service cannot be reached.')
})

test('offline 30: navigator.onLine stuck at false takes nothing away, and the loop asks until the server answers', async ({
  page,
  origin,
}) => {
  await pretendOffline(page)
  await loggedIn(page, origin)
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await expect(header(page).getByText('Online')).toBeVisible()
  await expect(connectionBanner(page)).toHaveCount(0)
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(connectionBanner(page)).toContainText('No connection.')
  await origin.setConnection({ kind: 'up' })
  // Without any input: no event, no press.
  await expect(header(page).getByText('Online')).toBeVisible({ timeout: 20_000 })
  await expect(connectionBanner(page)).toHaveCount(0)
})

test('each of the states has its words: a failing service, a network with a login of its own, a slow line', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin, '/branches?q=branch')
  await origin.setConnection({ kind: 'unavailable' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toContainText('Our service cannot be reached.')
  await expect(header(page).getByText('No answer', { exact: true })).toBeVisible()
  await origin.setConnection({ kind: 'captive' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toContainText('This network asks you to log in.')
  await expect(header(page).getByText('Wi-Fi login', { exact: true })).toBeVisible()
  const login = connectionBanner(page).getByRole('link', { name: 'Open the Wi-Fi login in a new tab' })
  // A captive network can only answer requests without TLS.
  await expect(login).toHaveAttribute('href', /^http:/)
  await expect(login).toHaveAttribute('target', '_blank')
  await origin.setConnection({ kind: 'slow', delayMs: 3_000 }, ({ path }) => path === HEALTH)
  await fireOnline(page)
  await expect(connectionBanner(page)).toContainText('The connection is slow.', { timeout: 20_000 })
  await expect(header(page).getByText('Slow')).toBeVisible()
  // Actions that need the connection are available as usual.
  await expect(page.getByRole('button', { name: 'Export CSV' })).not.toHaveAttribute('aria-disabled')
  await origin.setConnection({ kind: 'up' })
  await connectionBanner(page).getByRole('button', { name: 'Try now' }).click()
  await expect(connectionBanner(page)).toHaveCount(0)
})

test('a service whose database is gone is not reachable, however lively its process', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path !== HEALTH)
  await page.getByRole('link', { name: 'Resources' }).click()
  await expect(connectionBanner(page)).toContainText('Our service cannot be reached.')
  await origin.setConnection({ kind: 'up' })
  await expect(connectionBanner(page)).toHaveCount(0, { timeout: 20_000 })
})

test('"Try now" is answered at once, either way', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await origin.setConnection({ kind: 'refuse' })
  await fireOnline(page)
  const tryNow = connectionBanner(page).getByRole('button', { name: 'Try now' })
  await tryNow.click()
  await expect(connectionBanner(page).getByText('Still no change.')).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await tryNow.click()
  await expect(connectionBanner(page)).toHaveCount(0)
})

test('offline 33: a line that flaps five times in five seconds is told twice at most, and sends nothing twice @short', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin, '/reports/transaction-report')
  const said = await recordAnnouncements(page)
  await origin.setConnection({ kind: 'refuse' })
  await fireOnline(page)
  await expect(header(page).getByText('No answer', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByText(/^Transaction Report, .* waits for a connection\.$/)).toBeVisible()
  for (let toggle = 0; toggle < 5; toggle += 1) {
    await origin.setConnection({ kind: 'up' })
    await fireOnline(page)
    await origin.setConnection({ kind: 'refuse' })
    await fireOnline(page)
    await expect(header(page).getByText('No answer', { exact: true })).toBeVisible()
  }
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(header(page).getByText('Online')).toBeVisible()
  await expect.poll(async () => (await said()).at(-1)).toBe('Back online.')
  expect(await said()).toEqual(['Our service cannot be reached.', 'Back online.'])
  const reports = () => origin.sent('POST', '/reporting/report/merchant/transaction_report')
  await expect.poll(() => reports().filter(({ status }) => status === 200).length).toBe(1)
  expect(new Set(reports().map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('one place tells a screen reader of the connection, once a change, and nothing while all is well', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin)
  const said = await recordAnnouncements(page)
  await origin.setConnection({ kind: 'captive' })
  await fireOnline(page)
  await expect.poll(said).toEqual(['This network asks you to log in.'])
  await expect(header(page).getByRole('status')).toHaveCount(0)
  await origin.setConnection({ kind: 'up' })
  await connectionBanner(page).getByRole('button', { name: 'Try now' }).click()
  await expect.poll(said).toEqual(['This network asks you to log in.', 'Back online.'])
})

test('offline 50: /login is there without a connection after a logout, with its notice too, and says what it needs', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin)
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  for (const path of ['/login', '/login?multiLogin=1']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Login', exact: true })).toBeVisible()
    await expect(connectionBanner(page)).toContainText('Logging in needs a connection.')
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  }
  await page.goto('/register?type=hrp')
  await expect(connectionBanner(page)).toContainText('What you type is kept on this device.')
  await expectNoAxeViolations(page)
})

test('the banner fits a phone, and the keyboard comes to it before the page', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await page.setViewportSize({ width: 390, height: 844 })
  await origin.setConnection({ kind: 'captive' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  await header(page)
    .getByRole('button', { name: /Account menu/ })
    .focus()
  await page.keyboard.press('Tab')
  await expect(connectionBanner(page).getByRole('button', { name: 'Try now' })).toBeFocused()
  await expectNoAxeViolations(page)
})
