import type { Page } from '@playwright/test'
import { makeMerchant, makePosUser, makeRedemption } from '../support/builders.ts'
import { expect, test } from '../support/fixtures.ts'
import { readyOffline, signIn } from '../support/person.ts'
import type { PortalOrigin } from '../support/portalOrigin.ts'

const REFRESH = '/api/account/refresh'
const PAST_TOKEN_MS = 11 * 60_000

/** Until `tabs` tabs have made the last of the calls a page makes by itself: from here on only what the test does is asked. */
const atRest = (origin: PortalOrigin, tabs: number) =>
  expect.poll(() => answered(origin, '/api/filter/transaction/voucher_denomination')).toBe(tabs)

const answered = (origin: PortalOrigin, path: string) =>
  origin.sent('GET', path).filter(({ status }) => status === 200).length

/** Makes the stored token old without waiting ten minutes: the server's clock moves, and the page learns the difference. */
async function letTokenExpire(page: Page, clock: { advance(ms: number): void }) {
  clock.advance(PAST_TOKEN_MS)
  await page.evaluate((ms) => {
    const stored = JSON.parse(localStorage.getItem('token')!)
    stored.clock_offset_ms += ms
    localStorage.setItem('token', JSON.stringify(stored))
  }, PAST_TOKEN_MS)
}

test('an expired token is refreshed before the request, once for several tabs', async ({ page, context, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await makeRedemption(db, await makePosUser(db, merchant), '2026-10-01')
  await signIn(page, merchant.main)
  await atRest(origin, 1)
  await letTokenExpire(page, origin.clock)
  const tabs = [page, await context.newPage(), await context.newPage(), await context.newPage()]
  await Promise.all(tabs.map((tab) => tab.goto('/vouchers')))
  for (const tab of tabs) await expect(tab.locator('tbody tr')).toHaveCount(1)
  expect(origin.sent('GET', REFRESH)).toHaveLength(1)
  const unauthorized = origin.requests.filter(({ status }) => status === 401)
  expect(unauthorized).toEqual([])
})

test('a token the server calls expired is refreshed, and the request replayed, unseen', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  // The page does not know that the server's clock is ahead.
  origin.clock.advance(PAST_TOKEN_MS)
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(origin.sent('GET', REFRESH)).toHaveLength(1)
})

test('a lost refresh answer costs nothing', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await letTokenExpire(page, origin.clock)
  void origin.loseAnswer(({ path }) => path === REFRESH, 1_000)
  await page.goto('/vouchers')
  await expect.poll(() => origin.sent('GET', REFRESH).length).toBeGreaterThan(0)
  await origin.restore()
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('a second login ends the first session, which says Multiple Login Detected', async ({ page, browser, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await atRest(origin, 1)
  const elsewhere = await browser.newContext({ baseURL: origin.url })
  await signIn(await elsewhere.newPage(), main)
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await expect(page).toHaveURL('/login?multiLogin=1')
  await expect(page.getByText('Multiple Login Detected')).toBeVisible()
  await expect(page.getByText(/[Oo]nly one active session is allowed/)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Multiple Login Detected')).toBeVisible()
  await elsewhere.close()
})

test('a session that ended on the server leads to /login in every tab', async ({ page, context, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await atRest(origin, 2)
  await origin.database.db.execute(
    `UPDATE session SET ended_at = now(), ended_reason = 'logout' WHERE user_id = '${main.id}'`,
  )
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(second).toHaveURL('/login?redirect=%2Fdashboard')
})

test('no failure of the line signs anyone out', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await readyOffline(page)
  await letTokenExpire(page, origin.clock)
  for (const kind of ['refuse', 'unavailable', 'captive'] as const) {
    await origin.line({ kind })
    await page.goto('/vouchers')
    await expect(page.getByRole('banner').getByText('Offline')).toBeVisible()
    await expect(page).toHaveURL('/vouchers')
  }
  await origin.line({ kind: 'up' })
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('a logout works without a line, wipes the data of the person, and Back shows nothing', async ({
  page,
  context,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main, '/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await readyOffline(page)
  const second = await context.newPage()
  await second.goto('/profile')
  await expect(second.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await origin.line({ kind: 'refuse' })
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(second).toHaveURL('/login')
  const kept = await page.evaluate(async () => ({
    databases: (await indexedDB.databases()).map(({ name }) => name),
    auth: localStorage.getItem('auth') ?? '',
    token: localStorage.getItem('token'),
  }))
  expect(kept.databases.filter((name) => name?.startsWith('mp-u-'))).toEqual([])
  expect(kept.auth).not.toContain(main.loginName)
  expect(kept.token).toBe('null')
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)
})

test('what is kept of a session is what the spec names: no token inside the user', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  const auth = JSON.parse((await page.evaluate(() => localStorage.getItem('auth')))!) as Record<string, object>
  expect(Object.keys(auth).sort()).toEqual(['permissions', 'publicKey', 'session', 'user'])
  expect(Object.keys(auth['user']!)).not.toContain('permissions')
  expect(JSON.stringify(auth['user'])).not.toMatch(/token/)
})

test('a wrong device clock neither refreshes all day nor logs out', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  origin.clock.advance(2 * 60 * 60_000)
  await signIn(page, main)
  for (const name of ['Vouchers', 'Profile', 'Vouchers']) await page.getByRole('link', { name, exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(origin.sent('GET', REFRESH)).toHaveLength(0)
})
