import { makeMerchant } from '../support/builders.ts'
import { expect, test } from '../support/fixtures.ts'
import { readyOffline, signIn } from '../support/person.ts'

const ROUTES = [
  ['/dashboard', 'Dashboard'],
  ['/profile/edit', 'Edit profile'],
  ['/masters', 'Masters'],
  ['/branches/adhoc', 'Branches'],
  ['/vouchers', 'Vouchers'],
  ['/reports', 'Reports'],
  ['/reports/transaction-report', 'Transaction Report'],
  ['/reports/monthly-report', 'Monthly Report'],
  ['/reports/daily-report', 'Daily Report'],
  ['/resources', 'Resources'],
  ['/downloads', 'Downloads'],
  ['/settings/device', 'This device'],
  ['/404', 'Page Not Found'],
  ['/terms-of-use', 'Terms of use'],
] as const

test('after one online visit the app starts without a line on any route', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await readyOffline(page)
  await origin.line({ kind: 'refuse' })
  for (const [path, title] of ROUTES) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  }
})

test('a visitor who has only seen /login finds it again without a line', async ({ page, origin }) => {
  await page.goto('/login')
  await readyOffline(page)
  await origin.line({ kind: 'refuse' })
  await page.goto('/vouchers')
  await expect(page).toHaveURL('/login?redirect=%2Fvouchers')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('the first installation neither reloads nor loses what is typed', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('half typed')
  await readyOffline(page)
  await expect(page.getByLabel('Email')).toHaveValue('half typed')
})

test('a new build is offered in the words of the spec, and lands with one reload', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await readyOffline(page)
  await page.reload()
  let loads = 0
  page.on('load', () => (loads += 1))
  origin.deploy('2')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await expect(page.getByText('New version available. Refresh now?')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-build', '1')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-build', '2')
  await expect(page.getByText('New version available. Refresh now?')).toHaveCount(0)
  expect(loads).toBe(1)
})

test('Later keeps the build, and a reload offers the new one again', async ({ page, origin }) => {
  await page.goto('/login')
  await readyOffline(page)
  origin.deploy('2')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.getByRole('button', { name: 'Later' }).click()
  await expect(page.getByText('New version available. Refresh now?')).toHaveCount(0)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-build', '1')
  await expect(page.getByText('New version available. Refresh now?')).toBeVisible()
})

test('a second tab that is in use is not reloaded by the first, and gets there with its own tap', async ({
  page,
  context,
  origin,
}) => {
  await page.goto('/login')
  await readyOffline(page)
  const second = await context.newPage()
  await second.goto('/login')
  await second.getByLabel('Email').fill('half typed')
  origin.deploy('2')
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update())
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-build', '2')
  await expect(second.getByLabel('Email')).toHaveValue('half typed')
  await expect(second.locator('html')).toHaveAttribute('data-build', '1')
  await second.getByRole('button', { name: 'Refresh' }).click()
  await expect(second.locator('html')).toHaveAttribute('data-build', '2')
})

test('a missing asset is a real 404, and the shell is never kept by the HTTP cache', async ({ request }) => {
  const missing = await request.get('/assets/nope-123.js')
  expect(missing.status()).toBe(404)
  expect(missing.headers()['content-type']).not.toContain('html')
  expect(missing.headers()['cache-control']).toContain('no-store')
  for (const path of ['/', '/sw.js', '/manifest.webmanifest']) {
    expect((await request.get(path)).headers()['cache-control']).toContain('no-cache')
  }
  expect((await request.get('/sw.js')).headers()['content-type']).toContain('javascript')
})
