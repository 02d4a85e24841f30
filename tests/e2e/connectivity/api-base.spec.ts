import type { Page } from '@playwright/test'
import { logInByHand } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { apiOrigins } from '../../support/browser/builds.ts'
import { test as base, expect } from '../../support/browser/fixtures.ts'
import { Origin } from '../../support/browser/origin.ts'
import { startPortalOrigin, type PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makePosUser } from '../../support/database/builders.ts'

interface Servers {
  /** A separate server in the build's allow-list, which accepts calls of this portal. */
  staging: PortalOrigin
  /** Also in the allow-list; counts its requests. */
  second: Origin
  /** Not in the allow-list; counts its requests. */
  hostile: Origin
}

const NOBODY = () => new Response('{}', { status: 404 })
const portOf = (index: number) => Number(new URL(apiOrigins()[index]!).port)

const test = base.extend<object, Servers>({
  staging: [
    async ({ origin }, use) => {
      const staging = await startPortalOrigin({ port: portOf(0), portalOrigins: [origin.url] })
      await use(staging)
      await staging.close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  second: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const second = await Origin.start(NOBODY, undefined, portOf(1))
      await use(second)
      await second.close()
    },
    { scope: 'worker' },
  ],
  hostile: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const hostile = await Origin.start(NOBODY)
      await use(hostile)
      await hostile.close()
    },
    { scope: 'worker' },
  ],
})

// The allowed origins are ports of this machine, fixed in the build: one worker can listen on them.
test.describe.configure({ mode: 'serial' })
test.beforeEach(async ({ staging, second, hostile }) => {
  for (const server of [staging, second, hostile]) await server.reset()
})

const point = (page: Page, api: string, reporting = '') =>
  page.evaluate(
    ([apiBase, reportingBase]) => {
      localStorage.setItem('api_base', apiBase)
      localStorage.setItem('reporting_base', reportingBase)
    },
    [api, reporting] as const,
  )

const basesOf = ({ url }: { url: string }) => [`${url}/api`, `${url}/reporting`] as const
const banner = (page: Page) => page.locator('[data-banner]')
const calls = ({ requests }: Origin) => requests.filter(({ path }) => /^\/(api|reporting)\//.test(path))

test('WEB-07: without an override there is no banner and no other server', async ({ page, origin, staging }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await expect(banner(page)).toHaveCount(0)
  expect(staging.requests).toEqual([])
})

test('WEB-07: an allowed base is used whole, login to report, and named on every layout', async ({
  page,
  origin,
  staging,
}) => {
  const merchant = await makeMerchant(staging.database.db)
  await page.goto('/login')
  await point(page, ...basesOf(staging))
  await page.reload()
  await expect(banner(page)).toContainText(
    `Another server is in use. Portal: ${staging.url}/api, Reports: ${staging.url}/reporting`,
  )
  await expectNoAxeViolations(page)
  await origin.reset()
  await logInByHand(page, merchant.main)
  await expect(page).toHaveURL('/dashboard')
  await expect(banner(page)).toContainText(`${staging.url}/api`)
  await page.goto('/terms-of-use')
  await expect(banner(page)).toContainText(`${staging.url}/api`)
  await page.goto('/reports/transaction-report')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const statuses = () =>
    staging.sent('POST', '/reporting/report/merchant/transaction_report').map(({ status }) => status)
  await expect.poll(statuses).toEqual([200])
  expect(calls(origin)).toEqual([])
})

test('WEB-07: a session there is refreshed there', async ({ page, staging }) => {
  const { main } = await makeMerchant(staging.database.db)
  await page.goto('/login')
  await point(page, ...basesOf(staging))
  await logInByHand(page, main)
  await expect(page).toHaveURL('/dashboard')
  staging.clock.advance(11 * 60_000)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(staging.sent('GET', '/api/account/refresh').map(({ status }) => status)).toEqual([200])
})

test('WEB-07: a base that is changed during a session waits for the logout, and says so', async ({
  page,
  origin,
  staging,
  second,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await point(page, `${second.url}/api`)
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await expect(banner(page)).toHaveText('The change of api_base in this browser takes effect after logout.')
  expect(second.requests).toEqual([])

  await point(page, ...basesOf(staging))
  await page.reload()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(staging.requests).toEqual([])
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(banner(page)).toContainText(`Portal: ${staging.url}/api`)
  expect(origin.sent('GET', '/api/account/logout').map(({ status }) => status)).toEqual([200])
  expect(staging.sent('GET', '/api/account/logout')).toEqual([])

  const theirs = await makePosUser(staging.database.db)
  await logInByHand(page, theirs)
  await expect(page).toHaveURL('/redeem')
  await expect(banner(page)).toBeVisible()
  // The same in the other direction: the session there does not follow the storage either.
  await origin.reset()
  await page.evaluate(() => localStorage.removeItem('api_base'))
  await page.reload()
  await expect(page.getByText(theirs.branch.name)).toBeVisible()
  await expect(banner(page)).toContainText('takes effect after logout')
  expect(calls(origin)).toEqual([])
  expect(second.requests).toEqual([])
})

test('WEB-06: an override that is not allowed is ignored with a warning, and asked nothing', async ({
  page,
  origin,
  staging,
  hostile,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.goto('/login')
  await point(page, `${hostile.url}/api`, `${hostile.url}/api`)
  await page.reload()
  const warning = 'The address in api_base and reporting_base in this browser is not allowed here and is ignored.'
  await expect(banner(page)).toHaveText(warning)
  await logInByHand(page, main)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await expect(banner(page)).toHaveText(warning)
  expect(hostile.requests).toEqual([])
  expect(staging.requests).toEqual([])
  expect(origin.sent('POST', '/api/auth/login')).toHaveLength(1)
})

test('WEB-06: what storage says of the session’s base is believed no more than an override', async ({
  page,
  origin,
  hostile,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logInByHand(page, main)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await page.evaluate((url) => {
    const auth = JSON.parse(localStorage.getItem('auth')!)
    auth.session.baseUrls = { api: `${url}/api`, reporting: `${url}/reporting` }
    localStorage.setItem('auth', JSON.stringify(auth))
  }, hostile.url)
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  expect(hostile.requests).toEqual([])
})
