import type { Page } from '@playwright/test'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { fillLogin, logInByHand } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { expectDraftStored } from '../../support/devices/storage.ts'

const MINUTE = 60_000

/** Lets time pass for the device and the server alike, without any input. */
async function letPass(page: Page, origin: PortalOrigin, ms: number) {
  origin.clock.advance(ms)
  await page.clock.fastForward(ms)
}

async function loggedIn(page: Page, origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  await page.clock.install({ time: origin.clock.now() })
  await logInByHand(page, main)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  return main
}

const question = (page: Page) => page.getByRole('alertdialog', { name: 'Are you still there?' })

test('SES-21: two minutes before the limit the person is asked, and may stay @short', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await letPass(page, origin, 12 * MINUTE)
  await expect(question(page)).toHaveCount(0)
  await letPass(page, origin, 90_000)
  await expect(question(page)).toContainText(/You will be logged out in 1:\d\d/)
  await expect(page.getByRole('button', { name: 'Stay logged in' })).toBeFocused()
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Stay logged in' }).click()
  await expect(question(page)).toHaveCount(0)
  await letPass(page, origin, 5 * MINUTE)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('SES-21: without an answer the session ends here and at the server @short', async ({ page, origin }) => {
  const main = await loggedIn(page, origin)
  await letPass(page, origin, 14 * MINUTE)
  await expect(question(page)).toBeVisible()
  await letPass(page, origin, 2 * MINUTE)
  await expect(page).toHaveURL('/login?redirect=%2Fdashboard')
  // Page and server reach the limit together; either of the two messages may appear first.
  await expect(
    page.getByText(/^(You were logged out because you were inactive|Your session has expired)/),
  ).toBeVisible()
  const kept = await page.evaluate(() => localStorage.getItem('auth'))
  expect(kept).not.toContain(main.loginName)
})

test('SES-21: a session that ends at the server and on the device in the same moment is announced once', async ({
  page,
  origin,
}) => {
  const main = await loggedIn(page, origin)
  // The link's request must be the next one, because it gets the 401: no other call may be under way.
  await page.waitForLoadState('networkidle')
  await page.evaluate((late) => {
    const { now } = Date
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function set(key, value) {
      setItem.call(this, key, value)
      if (key !== 'token' || value !== 'null') return
      Date.now = () => now() + late
      document.dispatchEvent(new Event('visibilitychange'))
      Date.now = now
    }
  }, 16 * MINUTE)
  await origin.database.db.execute(
    `UPDATE session SET ended_at = now(), ended_reason = 'expired' WHERE user_id = '${main.id}'`,
  )
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?redirect=%2Fvouchers/)
  await expect(page.getByText('Your session has expired. Please log in again.')).toBeVisible()
  await expect(page.getByText('You were logged out because you were inactive.')).toHaveCount(0)
})

test('a timeout loses nothing that was typed: the next login of the same person leads back to the draft @short', async ({
  page,
  origin,
}) => {
  const main = await loggedIn(page, origin)
  await page.goto('/reports/transaction-report')
  await page.getByLabel('From').fill('2026-10-03')
  await letPass(page, origin, 14 * MINUTE)
  await expect(question(page)).toBeVisible()
  await letPass(page, origin, 2 * MINUTE)
  await expect(page).toHaveURL(/\/login\?redirect=/)
  await fillLogin(page, main)
  await expect(page).toHaveURL('/reports/transaction-report')
  await expect(page.getByText(/^This is your draft of/)).toBeVisible()
  await expect(page.getByLabel('From')).toHaveValue('2026-10-03')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByLabel('From')).not.toHaveValue('2026-10-03')
  await expect(page.getByText(/^This is your draft of/)).toHaveCount(0)
})

test('a draft is nobody else’s, and a form that was sent leaves none', async ({ page, origin }) => {
  const [first, second] = [await makeMerchant(origin.database.db), await makeMerchant(origin.database.db)]
  await logInByHand(page, first.main, '/reports/transaction-report')
  await page.getByLabel('From').fill(singaporeDay(origin.clock.now()))
  await expectDraftStored(page, 'transaction-report', singaporeDay(origin.clock.now()))
  await page.reload()
  await expect(page.getByText(/^This is your draft of/)).toBeVisible()
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByText(/^Transaction Report, .* is ready\.$/)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Transaction Report' })).toBeVisible()
  await expect(page.getByText(/^This is your draft of/)).toHaveCount(0)
  await page.getByLabel('From').fill('2026-10-03')
  await expectDraftStored(page, 'transaction-report', '2026-10-03')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await logInByHand(page, second.main, '/reports/transaction-report')
  await expect(page.getByLabel('From')).not.toHaveValue('2026-10-03')
  await expect(page.getByText(/^This is your draft of/)).toHaveCount(0)
})

test('offline 52, SES-21: a device that slept past the limit is locked on waking, before anything is painted @short', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin)
  // A page that is still open would go to the login by itself.
  await page.goto('about:blank')
  await letPass(page, origin, 40 * MINUTE)
  await page.goto('/vouchers')
  await expect(page).toHaveURL(/\/login/)
  await expect(page.getByText('You were logged out because you were inactive.')).toBeVisible()
})

test('a session that ends while the page is being drawn leaves no broken screen', async ({ page, origin }) => {
  await loggedIn(page, origin)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu', exact: true }).waitFor()
  // In one task, as on a busy device: the click is drawn before the page hears that the session has ended.
  await page.evaluate(() => {
    document.querySelector<HTMLElement>('button[aria-label=Menu]')!.click()
    localStorage.setItem('auth', JSON.stringify({ left: 'ended' }))
    dispatchEvent(new StorageEvent('storage', { key: 'auth' }))
  })
  await expect(page).toHaveURL(/\/login/)
})

test('offline 52: a tab that was hidden past the limit shows nothing more of the person once it is seen', async ({
  page,
  origin,
}) => {
  const main = await loggedIn(page, origin)
  const show = (state: DocumentVisibilityState) =>
    page.evaluate((visibility) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => visibility })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await show('hidden')
  origin.clock.advance(40 * MINUTE)
  // Moves only the clock: a sleeping device runs no timers.
  await page.clock.setSystemTime(origin.clock.now())
  await show('visible')
  await expect(page).toHaveURL(/\/login/)
  await expect(question(page)).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('auth'))).not.toContain(main.loginName)
})

test('offline 53, SES-21: what a person does in one tab keeps the other alive', async ({ page, context, origin }) => {
  await loggedIn(page, origin)
  const second = await context.newPage()
  await second.goto('/dashboard')
  await expect(second.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  // All tabs of the device share one clock.
  await letPass(page, origin, 10 * MINUTE)
  await second.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await letPass(page, origin, 4 * MINUTE)
  await expect(question(page)).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('SES-06: somebody at work on a long form is not logged out by the server, which hears of them', async ({
  page,
  origin,
}) => {
  await loggedIn(page, origin)
  await page.goto('/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  for (let minute = 0; minute < 20; minute += 1) {
    await page.getByLabel('From').press('ArrowUp')
    await letPass(page, origin, MINUTE)
  }
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
})
