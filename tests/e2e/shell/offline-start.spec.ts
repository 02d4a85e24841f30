import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { buildDirectory } from '../../support/browser/builds.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { clearHttpCache, countLoads } from '../../support/browser/updates.ts'
import { makeMerchant, makePosUser } from '../../support/database/builders.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'

/** Every route of the spec's table, and the page to which it leads a logged-in main account. */
const ROUTES: readonly (readonly [path: string, title: string | RegExp, leadsTo?: string])[] = [
  ['/', 'Dashboard', '/dashboard'],
  ['/404', 'Page Not Found'],
  ['/login', 'Dashboard', '/dashboard'],
  ['/help', 'Help'],
  ['/register?type=hrp', /./],
  ['/onboarding', 'Merchant onboarding'],
  ['/onboarding-submitted', 'Onboarding submitted'],
  ['/pending-authorisation', 'Onboarding in review'],
  ['/terms-and-conditions', /^Terms and conditions/i],
  ['/terms-of-use', 'Terms of use'],
  ['/voucher-management-guidelines', /guidelines/i],
  ['/branches', 'Branches'],
  ['/branches/adhoc', 'Branches'],
  ['/branches/create', 'Create branch'],
  [`/branches/${ID}/view`, /./],
  [`/branches/${ID}/edit`, /./],
  ['/masters', 'Masters'],
  ['/masters/create', 'Create master'],
  [`/masters/${ID}/edit`, /./],
  ['/profile', 'Profile'],
  ['/profile/edit', 'Edit profile'],
  ['/reports', 'Reports'],
  ['/reports/monthly-report', 'Monthly Report'],
  ['/reports/transaction-report', 'Transaction Report'],
  ['/reports/daily-report', 'Daily Report'],
  ['/reports/losses', 'Losses'],
  ['/resources', 'Resources'],
  ['/vouchers', 'Vouchers'],
  ['/dashboard', 'Dashboard'],
  ['/downloads', 'Downloads'],
  ['/settings/device', 'This device'],
]

const checksum = (file: string) => `sha256-${createHash('sha256').update(readFileSync(file)).digest('base64')}`

/** Cuts the connection and clears the browser's own cache: only the worker's files are left. */
async function cutLine(page: Page, origin: PortalOrigin) {
  await readyOffline(page)
  await clearHttpCache(page)
  await origin.setConnection({ kind: 'refuse' })
}

/** Collects the files of the build that a page requested in vain. */
function failedFiles(page: Page): string[] {
  const failed: string[] = []
  page.on('requestfailed', (request) => {
    const { pathname } = new URL(request.url())
    // A page that is left while it loads cancels its own requests.
    if (pathname.startsWith('/assets/') && request.failure()?.errorText !== 'net::ERR_ABORTED') failed.push(pathname)
  })
  return failed
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test('offline 1: after the first login the portal starts without a connection, and says that it has none @short', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await cutLine(page, origin)
  await page.goto('/vouchers')
  await page.reload()
  await expect(heading(page, 'Vouchers')).toBeVisible()
  await expect(
    page
      .getByRole('banner')
      .getByText(/offline|no connection|reached/i)
      .first(),
  ).toBeVisible()
})

test('offline 2: an address that was never visited is routed by the app, without a connection', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await cutLine(page, origin)
  await page.goto(`/masters/${ID}/edit`)
  await expect(heading(page, /./)).toBeVisible()
  await expect(page).toHaveURL(`/masters/${ID}/edit`)
  await page.goto('/masters/detail/abc/edit')
  await expect(heading(page, 'Page Not Found')).toBeVisible()
})

test('offline 3: every route opens without a connection after one login', async ({ page, origin }) => {
  test.slow()
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await cutLine(page, origin)
  const failed = failedFiles(page)
  for (const [path, title, leadsTo = path] of ROUTES) {
    await page.goto(path)
    await expect(heading(page, title), path).toBeVisible()
    await expect(page).toHaveURL(leadsTo)
  }
  expect(failed).toEqual([])
})

test('offline 3: a till that has only seen /login starts at its counter without a connection @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  await logIn(page, await makePosUser(db, await makeMerchant(db)))
  await cutLine(page, origin)
  const failed = failedFiles(page)
  await page.goto('/redeem')
  await expect(page.getByLabel('Or type the serial number')).toBeVisible()
  expect(failed).toEqual([])
})

test('offline 3: a visitor who has only seen /login finds it again without a connection', async ({ page, origin }) => {
  await page.goto('/login')
  await cutLine(page, origin)
  await page.goto('/vouchers')
  await expect(page).toHaveURL('/login?redirect=%2Fvouchers')
  await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
})

test('offline 4: the first installation neither reloads nor loses what is typed', async ({ page }) => {
  await page.goto('/login')
  const loads = countLoads(page)
  await page.getByLabel('Email').fill('half typed')
  await readyOffline(page)
  await expect(page.getByLabel('Email')).toHaveValue('half typed')
  expect(loads()).toBe(0)
})

test('offline 5: a missing asset is a real 404 that nothing keeps @short', async ({ request }) => {
  const missing = await request.get('/assets/nope-123.js')
  expect(missing.status()).toBe(404)
  expect(missing.headers()['content-type']).not.toContain('html')
  expect(missing.headers()['cache-control']).toContain('no-store')
})

test('offline 6: the shell is asked for anew, hashed files never again, and the worker is a script @short', async ({
  request,
}) => {
  for (const path of ['/', '/index.html', '/sw.js', '/manifest.webmanifest']) {
    const answer = await request.get(path, { maxRedirects: 0 })
    expect(answer.status(), path).toBe(200)
    expect(answer.headers()['cache-control'], path).toContain('no-cache')
  }
  expect((await request.get('/sw.js')).headers()['content-type']).toContain('text/javascript')
  const asset = readdirSync(join(buildDirectory('1'), 'assets')).find((name) => name.endsWith('.js'))
  expect((await request.get(`/assets/${asset}`)).headers()['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('a page names the files of its own screen from the start, of no other, and none where nobody is logged in', async ({
  page,
  origin,
}) => {
  const named = () =>
    page.evaluate(() => [...document.querySelectorAll<HTMLElement>('link[data-of]')].map((link) => link.dataset['of']!))
  await page.goto('/vouchers')
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  expect(await named()).toEqual([])
  await logIn(page, (await makeMerchant(origin.database.db)).main)
  for (const [path, as] of [
    ['/vouchers', '/vouchers'],
    ['/reports/daily-report', '/reports/$'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    const of = await named()
    expect(of, path).not.toEqual([])
    for (const paths of of) expect(paths.split(' ')).toContain(as)
  }
})

test('offline 7: the worker lists every file that the build wrote and a screen needs, each with its checksum @short', () => {
  const folder = buildDirectory('1')
  const worker = readFileSync(join(folder, 'sw.js'), 'utf8')
  const list = JSON.parse(/\[\{"[^\]]*"integrity"[^\]]*\]/.exec(worker)![0]) as { url: string; integrity: string }[]
  const listed = list.map(({ url }) => url)
  const emitted = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(html|js|css|woff2|wasm|webmanifest)$/.test(file) && file !== 'sw.js')
    .toSorted()
  expect(emitted.length).toBeGreaterThan(100)
  expect(listed).toEqual(expect.arrayContaining(emitted))
  for (const { url, integrity } of list) expect(integrity, url).toBe(checksum(join(folder, url)))
  expect(listed.filter((file) => /\.map$|^\.|\/\.|^(api|reporting|files)\//.test(file))).toEqual([])
  expect(worker).not.toMatch(/__WB_MANIFEST|importScripts\(|\bimport\s*\(/)
})
