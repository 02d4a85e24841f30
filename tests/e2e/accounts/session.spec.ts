import type { Page } from '@playwright/test'
import { readyOffline, logInByHand } from '../../support/accounts/logIn.ts'
import { logOut } from '../../support/accounts/mfaPage.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { SentRequest } from '../../support/browser/origin.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makePosUser, makeRedemption } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'

const REFRESH = '/api/account/refresh'
const PAST_TOKEN_MS = 11 * 60_000
/** Paths of the lists that the voucher screen loads besides its rows. */
/** Waits until `tabs` tabs have made the last of their automatic calls: from here on only the test causes calls. */
const atRest = (origin: PortalOrigin, tabs: number) => expect.poll(() => answered(origin, '/api/pos/list')).toBe(tabs)

const tablesRead = (origin: PortalOrigin) =>
  origin.sent('POST', '/api/voucher/datatable').filter(({ status }) => status === 200).length

const answered = (origin: PortalOrigin, path: string) =>
  origin.sent('GET', path).filter(({ status }) => status === 200).length

/** Makes the stored token expire without waiting ten minutes: the server's clock moves, and the page learns the difference. */
async function letTokenExpire(page: Page, clock: { advance(ms: number): void }) {
  clock.advance(PAST_TOKEN_MS)
  await page.evaluate((ms) => {
    const stored = JSON.parse(localStorage.getItem('token')!)
    stored.clock_offset_ms += ms
    localStorage.setItem('token', JSON.stringify(stored))
  }, PAST_TOKEN_MS)
}

/** Opens five tabs of one user with an expired token, which all load the voucher table; each shows its one row. */
async function askInFiveTabs(page: Page, origin: PortalOrigin) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await makeRedemption(db, await makePosUser(db, merchant), '2026-10-01')
  await logInByHand(page, merchant.main)
  await atRest(origin, 1)
  await letTokenExpire(page, origin.clock)
  const more = Array.from({ length: 4 }, () => page.context().newPage())
  const tabs = [page, ...(await Promise.all(more))]
  await Promise.all(tabs.map((tab) => tab.goto('/vouchers')))
  for (const tab of tabs) {
    await expect(tab.locator('tbody tr')).toHaveCount(1)
    await expect(tab).toHaveURL('/vouchers')
  }
}

const unauthorized = ({ requests }: PortalOrigin) => requests.filter(({ status }) => status === 401)

test('SES-17: an expired token is refreshed before the request, once for five tabs @short', async ({
  page,
  origin,
}) => {
  await askInFiveTabs(page, origin)
  expect(origin.sent('GET', REFRESH)).toHaveLength(1)
  expect(unauthorized(origin)).toEqual([])
})

test('SES-18: without Web Locks each of five tabs may refresh, and nobody is logged out', async ({ page, origin }) => {
  await page.context().addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
  await askInFiveTabs(page, origin)
  expect(await page.evaluate(() => navigator.locks)).toBeUndefined()
  const refreshes = origin.sent('GET', REFRESH)
  expect(refreshes.length).toBeGreaterThan(0)
  expect(refreshes.length).toBeLessThanOrEqual(5)
  expect(unauthorized(origin)).toEqual([])
})

test('SES-05: a token the server calls expired is refreshed, and the request replayed, unseen @short', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  // The page does not know that the server's clock is ahead.
  origin.clock.advance(PAST_TOKEN_MS)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(origin.sent('GET', REFRESH)).toHaveLength(1)
})

test('SES-12: a lost refresh answer costs nothing @short', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await atRest(origin, 1)
  await letTokenExpire(page, origin.clock)
  const isRefresh = ({ path }: SentRequest) => path === REFRESH
  const firstLoss = origin.loseAnswer(isRefresh)
  void origin.loseAnswer(isRefresh, 1_000)
  await page.goto('/vouchers')
  await firstLoss
  await origin.restore()
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('SES-13: a second login ends the first session, which says Multiple Login Detected @short', async ({
  page,
  browser,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await atRest(origin, 1)
  const elsewhere = await browser.newContext({ baseURL: origin.url })
  await logInByHand(await elsewhere.newPage(), main)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page).toHaveURL('/login?multiLogin=1')
  await expect(page.getByText('Multiple Login Detected')).toBeVisible()
  await expect(page.getByText(/[Oo]nly one active session is allowed/)).toBeVisible()
  await page.reload()
  await expect(page.getByText('Multiple Login Detected')).toBeVisible()
  await elsewhere.close()
})

test('a session that ended on the server leads to /login in every tab', async ({ page, context, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await atRest(origin, 2)
  await origin.database.db.execute(
    `UPDATE session SET ended_at = now(), ended_reason = 'logout' WHERE user_id = '${main.id}'`,
  )
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await expect(second).toHaveURL('/login?redirect=%2Fdashboard')
})

testWithWorker(
  'offline 51: no failure of the connection, at the refresh of a token neither, signs anyone out @short',
  async ({ page, origin }) => {
    const { main } = await makeMerchant(origin.database.db)
    await logInByHand(page, main)
    await readyOffline(page)
    await letTokenExpire(page, origin.clock)
    for (const [kind, word] of [
      ['refuse', 'No answer'],
      ['unavailable', 'No answer'],
      ['captive', 'Wi-Fi login'],
    ] as const) {
      await origin.setConnection({ kind })
      await page.goto('/vouchers')
      await expect(page.getByRole('banner').getByText(word, { exact: true })).toBeVisible()
      await expect(page).toHaveURL('/vouchers')
    }
    await origin.setConnection({ kind: 'up' })
    await page.goto('/vouchers')
    await expect(page.getByText('No voucher yet')).toBeVisible()
  },
)

async function inTwoTabs(page: Page, origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main, '/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  const second = await page.context().newPage()
  await second.goto('/profile')
  await expect(second.getByRole('heading', { name: 'Profile' })).toBeVisible()
  return { main, second }
}

for (const line of ['up', 'refuse'] as const) {
  testWithWorker(
    `SES-20, WEB-11 and offline 49: a logout with the connection ${line === 'up' ? 'up' : 'down'} wipes the data of the person in every tab, and Back shows nothing${line === 'up' ? '' : ' @short'}`,
    async ({ page, origin }) => {
      const { main, second } = await inTwoTabs(page, origin)
      await readyOffline(page)
      await origin.setConnection({ kind: line })
      await logOut(page)
      await expect(second).toHaveURL('/login')
      const kept = await page.evaluate(async () => {
        const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)))
        return {
          databases: (await indexedDB.databases()).map(({ name }) => name),
          auth: JSON.parse(localStorage.getItem('auth')!) as unknown,
          token: localStorage.getItem('token'),
          storage: JSON.stringify({ ...localStorage, ...sessionStorage }),
          cached: (await Promise.all(caches.map((cache) => cache.keys())))
            .flat()
            .map(({ url }) => new URL(url).pathname),
        }
      })
      expect(kept.databases.filter((name) => name?.startsWith('mp-u-'))).toEqual([])
      expect(kept.auth).toEqual({ left: 'chosen' })
      expect(kept.token).toBe('null')
      expect(kept.storage).not.toContain(main.loginName)
      expect(kept.storage).not.toContain(main.id)
      expect(kept.cached.length).toBeGreaterThan(0)
      expect(kept.cached.filter((path) => /^\/(api|reporting)\//.test(path))).toEqual([])
      await page.goBack()
      await expect(page).toHaveURL(/\/login/)
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
      await expect(page.locator('body')).not.toContainText(main.loginName)
    },
  )
}

test('who logs out begins anew in every tab, although another call hears first that the session has ended', async ({
  page,
  origin,
}) => {
  const { main, second } = await inTwoTabs(page, origin)
  // The server ends the session long before its slow answer arrives.
  await origin.setConnection({ kind: 'slow', bytesPerSecond: 10 }, ({ path }) => path === '/api/account/logout')
  const loggedOut = logOut(page)
  const open = () => rowsOf(origin.database.db, 'session', { userId: main.id, endedAt: null })
  await expect.poll(open).toEqual([])
  // A call of either tab may have met the ended session by now, and then the link is gone.
  await second.evaluate(() => document.querySelector<HTMLElement>('a[href="/masters"]')?.click())
  await loggedOut
  await expect(second).toHaveURL('/login')
  await expect(second.getByText(/session/i)).toHaveCount(0)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('auth'))).toBe('{"left":"chosen"}')
})

test('what is kept of a session is what the spec names: no token inside the user', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  const auth = JSON.parse((await page.evaluate(() => localStorage.getItem('auth')))!) as Record<string, object>
  expect(Object.keys(auth).sort()).toEqual(['permissions', 'publicKey', 'session', 'user'])
  expect(Object.keys(auth['user']!)).not.toContain('permissions')
  expect(JSON.stringify(auth['user'])).not.toMatch(/token/)
})

for (const hours of [2, -2]) {
  test(`SES-19: a device clock that is ${hours} hours off refreshes once a token, and logs nobody out`, async ({
    page,
    origin,
  }) => {
    const { main } = await makeMerchant(origin.database.db)
    await page.clock.install({ time: origin.clock.now().getTime() + hours * 3_600_000 })
    await logInByHand(page, main)
    await atRest(origin, 1)
    // The two clocks move one after the other; a call under way between the two would be refused rightly.
    const visit = async () => {
      const before = tablesRead(origin)
      for (const name of ['Profile', 'Vouchers']) await page.getByRole('link', { name, exact: true }).click()
      await expect(page.getByText('No voucher yet')).toBeVisible()
      await expect.poll(() => tablesRead(origin)).toBeGreaterThan(before)
    }
    await visit()
    expect(origin.sent('GET', REFRESH)).toHaveLength(0)
    for (const refreshes of [1, 2, 3]) {
      origin.clock.advance(PAST_TOKEN_MS)
      await page.clock.fastForward(PAST_TOKEN_MS)
      await visit()
      await visit()
      await expect.poll(() => origin.sent('GET', REFRESH).length).toBe(refreshes)
    }
    expect(unauthorized(origin)).toEqual([])
  })
}

test('SES-24: no address carries a token, and nobody is told where a person came from', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  const asked: string[] = []
  page.context().on('request', (request) => asked.push(request.url()))
  await logInByHand(page, main)
  const tokens = [await storedToken(page)]
  await atRest(origin, 1)
  await letTokenExpire(page, origin.clock)
  for (const path of ['/vouchers', '/profile', '/reports/transaction-report']) await page.goto(path)
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect.poll(() => answeredPost(origin, '/reporting/report/merchant/transaction_report')).toBe(1)
  tokens.push(await storedToken(page))
  expect(new Set(tokens).size).toBe(2)
  for (const url of asked) {
    for (const token of tokens) expect(url).not.toContain(token)
    expect(url).not.toMatch(/[?&](access_)?token=|eyJ/)
  }
  expect(origin.requests.some(({ headers }) => headers['authorization'] === `Bearer ${tokens[1]}`)).toBe(true)
  expect(origin.requests.filter(({ headers }) => headers['referer'] !== undefined)).toEqual([])
})

const storedToken = (page: Page) =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('token')!) as { token: string }).token)

const answeredPost = (origin: PortalOrigin, path: string) =>
  origin.sent('POST', path).filter(({ status }) => status === 200).length
