import type { Page } from '@playwright/test'
import { readyOffline, scanAtVouchers, logIn } from '../../support/accounts/logIn.ts'
import { makeActors } from '../../support/api/actors.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { connectionBanner, fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeRedemption } from '../../support/database/builders.ts'
import { ageCachedRows, ofUser, storedRow } from '../../support/devices/storage.ts'

const TABLE = '/api/voucher/datatable'
const LAST_LIST = '/api/pos/list'

/** Opens the voucher table of a merchant with `count` redeemed vouchers, and stores everything for offline. */
async function atVouchers(page: Page, origin: PortalOrigin, count: number) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  const serials: string[] = []
  for (let day = 1; day <= count; day += 1) {
    const { voucher } = await makeRedemption(db, till, `2026-10-0${day}`)
    serials.unshift(voucher.serial)
  }
  await logIn(page, merchant.main, '/vouchers')
  await expect(rows(page)).toHaveCount(count)
  await readyOffline(page)
  await prepared(origin)
  return { ...merchant, till, serials }
}

const rows = (page: Page) => page.getByRole('table', { name: 'vouchers' }).locator('tbody tr')
const age = (page: Page) => page.getByText(/This list is as of \S/)
const asked = (origin: PortalOrigin, path = TABLE) => origin.requests.filter((request) => request.path === path).length
const prepared = (origin: PortalOrigin) =>
  expect.poll(() => origin.sent('GET', LAST_LIST).filter(({ status }) => status === 200).length).toBeGreaterThan(0)

test('offline 27 and 28: on a connection that hangs the shell stands within two seconds, and the kept rows with their age @short', async ({
  page,
  origin,
}) => {
  await atVouchers(page, origin, 2)
  await origin.setConnection({ kind: 'hang' })
  await page.goto('/vouchers', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Vouchers' })).toBeVisible({ timeout: 2_000 })
  await expect(rows(page)).toHaveCount(2, { timeout: 1_000 })
  // The age waits 600 ms for the answer, which would make it wrong.
  await expect(age(page)).toBeVisible({ timeout: 2_000 })
  await expect(age(page)).toContainText('Waiting for the newest list.')
  // The call is cancelled, and the age stays with the reason.
  await expect(age(page)).toContainText('Offline.', { timeout: 15_000 })
})

test('offline 29: without anything kept a hanging line ends in words and a way to try again, within fifteen seconds', async ({
  page,
  origin,
}) => {
  await atVouchers(page, origin, 1)
  await origin.setConnection({ kind: 'hang' })
  await page.goto('/vouchers?page=9', { waitUntil: 'commit' })
  await expect(page.getByText('This list has not been opened here before')).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('offline 29: an answer whose body never comes is no answer either', async ({ page, origin }) => {
  await atVouchers(page, origin, 5)
  // At twenty bytes a second the head arrives at once, but the rows would take minutes.
  await origin.setConnection({ kind: 'slow', bytesPerSecond: 20 }, ({ path }) => path === TABLE)
  await page.goto('/vouchers?size=25', { waitUntil: 'commit' })
  await expect(page.getByText('This list could not be loaded')).toBeVisible({ timeout: 15_000 })
})

test('a list whose read failed is read anew by itself when the connection is back, once', async ({ page, origin }) => {
  const { till } = await atVouchers(page, origin, 2)
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(age(page)).toContainText('Offline.')
  await makeRedemption(origin.database.db, till, '2026-10-09')
  await origin.setConnection({ kind: 'up' })
  const before = asked(origin)
  await fireOnline(page)
  await expect(rows(page)).toHaveCount(3)
  await expect(age(page)).toHaveCount(0)
  await expect(connectionBanner(page)).toHaveCount(0)
  expect(asked(origin) - before).toBe(1)
})

test('rows under the hand stay: what returns waits until nothing is chosen, selected or open', async ({
  page,
  origin,
}) => {
  const { till } = await atVouchers(page, origin, 2)
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(age(page)).toContainText('Offline.')
  await rows(page)
    .first()
    .getByRole('button', { name: /^Actions/ })
    .click()
  await expect(page.getByRole('menu')).toBeVisible()
  await makeRedemption(origin.database.db, till, '2026-10-09')
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toHaveCount(0)
  const waited = asked(origin)
  await expect(page.getByRole('menu')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('Escape')
  await expect(rows(page)).toHaveCount(3)
  expect(asked(origin) - waited).toBe(1)
})

/** Opens the form of a branch without a connection, from the device's copy. */
async function atKeptForm(page: Page, origin: PortalOrigin) {
  const { branch, main } = await atVouchers(page, origin, 1)
  await page.goto(`/branches/${branch.id}/edit`)
  const name = page.getByLabel('Branch name')
  await expect(name).toHaveValue(branch.name)
  // The screen does not wait for the disk and may be faster.
  await expect.poll(() => storedRow(page, ofUser(main.id), 'reads', `branch/${branch.id}`)).toBeDefined()
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(page.getByText(/This is as of/)).toBeVisible()
  return { branch, name }
}

/** Saves the branch as another user, and restores the connection. */
async function theirsComes(page: Page, origin: PortalOrigin, branch: { id: string }) {
  await origin.database.db.execute(
    `UPDATE branch SET revision = revision + 1, name = 'Theirs ' || name WHERE id = '${branch.id}'`,
  )
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(page.getByText(/This is as of/)).toHaveCount(0)
}

test('a form that somebody has typed into is not begun anew when the connection is back', async ({ page, origin }) => {
  const { branch, name } = await atKeptForm(page, origin)
  await name.fill('Half a na')
  await theirsComes(page, origin, branch)
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('Half a na')
})

test('nor is a form that somebody stands in, before the first key and between two fields', async ({ page, origin }) => {
  const { branch, name } = await atKeptForm(page, origin)
  await page.getByLabel('Branch code').focus()
  await page.keyboard.press('Shift+Tab')
  await theirsComes(page, origin, branch)
  await expect(name).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(name).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.type(' and mine')
  await expect(name).toHaveValue(`${branch.name} and mine`)
})

test('a form that was left untouched begins with the newest answer', async ({ page, origin }) => {
  const { branch, name } = await atKeptForm(page, origin)
  await name.focus()
  await theirsComes(page, origin, branch)
  await expect(name).toHaveValue(branch.name)
  await name.blur()
  await expect(name).toHaveValue(`Theirs ${branch.name}`)
})

test('a list that failed before the page minded the connection is read anew, too', async ({ page, origin }) => {
  const { till } = await atVouchers(page, origin, 2)
  // On a busy device the second half of the app is loaded when the browser is idle.
  await page.addInitScript(() => {
    window.requestIdleCallback = (work) => {
      addEventListener('idle', () => work({ didTimeout: false, timeRemaining: () => 0 }), { once: true })
      return 0
    }
  })
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(age(page)).toBeVisible()
  await makeRedemption(origin.database.db, till, '2026-10-09')
  await origin.setConnection({ kind: 'up' })
  await page.evaluate(() => dispatchEvent(new Event('idle')))
  await expect(rows(page)).toHaveCount(3)
  await expect(age(page)).toHaveCount(0)
})

test('a server that goes on failing one list is not asked for it for ever', async ({ page, origin }) => {
  await atVouchers(page, origin, 1)
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === TABLE)
  await page.reload()
  await expect(age(page)).toBeVisible()
  await expect.poll(() => asked(origin)).toBeGreaterThan(1)
  const health = () => origin.sent('GET', '/api/health').length
  const settled = { table: asked(origin), health: health() }
  for (const looks of [1, 2]) {
    // A check that starts during another one is merged with it.
    await expect(async () => {
      await fireOnline(page)
      await expect.poll(health, { timeout: 2_000 }).toBeGreaterThanOrEqual(settled.health + looks)
    }).toPass()
  }
  expect(asked(origin) - settled.table).toBeLessThanOrEqual(1)
})

test('offline 73: a kept list names its age, more than a day stands out, and a new answer has none', async ({
  page,
  origin,
}) => {
  const { main } = await atVouchers(page, origin, 2)
  await page.goto('/vouchers?view=all')
  await expect(rows(page)).toHaveCount(2)
  await expect(page.getByLabel('Denomination').getByRole('option', { name: '$10.00' })).toBeAttached()
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await expect(age(page)).toHaveText(/as of \d\d:\d\d today\.$/)
  await expect(page.getByLabel('Denomination')).toHaveAccessibleDescription(/^As of \d\d:\d\d today$/)
  await ageCachedRows(page, main.id, 49 * 3_600_000)
  await page.reload()
  await expect(age(page)).toHaveText(/as of \d+ \w{3} \d{4}, \d\d:\d\d 2 days old\.$/)
  await expect(age(page).locator('[data-old]')).toHaveText('2 days old')
  await expect(page.getByLabel('Denomination')).toHaveAccessibleDescription(/, 2 days old$/)
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(age(page)).toHaveCount(0)
  await expect(page.getByLabel('Denomination')).toHaveAccessibleDescription('')
})

test('offline 67: a voucher scanned without a connection is looked up in vain, or shown with its age, never as valid now', async ({
  page,
  origin,
}) => {
  const { serials } = await atVouchers(page, origin, 2)
  const [seen, unseen] = [serials[0]!, serials[1]!]
  await scanAtVouchers(page, seen)
  await expect(rows(page)).toHaveCount(1)
  await origin.setConnection({ kind: 'refuse' })
  await page.goto('/vouchers')
  await expect(page.getByRole('heading', { level: 1, name: 'Vouchers' })).toBeVisible()
  await scanAtVouchers(page, seen)
  await expect(rows(page)).toHaveCount(1)
  await expect(age(page)).toContainText(/Offline\. This list is as of \d\d:\d\d today/)
  await scanAtVouchers(page, unseen)
  await expect(page.getByText('This list has not been opened here before')).toBeVisible()
  await expect(page.getByText('It appears once the connection is back. Nothing was changed.')).toBeVisible()
})

test('offline 74 and WEB-08: Cache Storage holds the shell and nothing that anyone logged in for @short', async ({
  page,
  origin,
}) => {
  await atVouchers(page, origin, 1)
  for (const path of [
    '/dashboard',
    '/profile',
    '/branches',
    '/vouchers',
    '/reports/transaction-report',
    '/resources',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const cached = await page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => {
        const cache = await caches.open(name)
        return (await cache.keys()).map(({ url, headers }) => ({ url, authorized: headers.has('authorization') }))
      }),
    )
    return all.flat()
  })
  expect(cached.length).toBeGreaterThan(20)
  expect(cached.filter(({ url, authorized }) => authorized || new URL(url).origin !== origin.url)).toEqual([])
  expect(cached.filter(({ url }) => /^\/(api|reporting|files)\//.test(new URL(url).pathname))).toEqual([])
})

for (const who of ['HRP', 'Additional', 'Branch', 'ADHOC'] as const) {
  test(`${who}: after one login every list that forms choose from is there without a connection, POS users too`, async ({
    page,
    origin,
  }) => {
    const { users, branch, till } = await makeActors(origin.database.db)
    await logIn(page, users[who])
    await readyOffline(page)
    await expect.poll(() => storedRow(page, ofUser(users[who].id), 'lists', 'branches')).toBeDefined()
    await expect.poll(() => storedRow(page, ofUser(users[who].id), 'lists', 'denominations')).toBeDefined()
    if (who === 'ADHOC') return
    const posUsers = `list/filter.posUsers {"branch_guid":"${branch.id}"}`
    await expect.poll(() => storedRow(page, ofUser(users[who].id), 'lists', posUsers)).toBeDefined()
    await prepared(origin)
    await origin.setConnection({ kind: 'refuse' })
    await page.goto('/reports/transaction-report')
    // A branch login has only one branch, so its form has no branch field.
    if (who !== 'Branch') await page.getByLabel('Branch', { exact: true }).selectOption(branch.name)
    const field = page.getByLabel('POS user')
    await expect(field.getByRole('option', { name: till.loginName })).toBeAttached()
    await expect(field).toHaveAccessibleDescription(/^As of \d\d:\d\d today$/)
  })
}

test('lists that the login could not fetch are fetched when the connection is back', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path.startsWith('/api/filter/'))
  await logIn(page, main)
  await readyOffline(page)
  await expect(
    connectionBanner(page)
      .or(page.getByRole('heading', { name: 'Dashboard', level: 1 }))
      .first(),
  ).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await connectionBanner(page).getByRole('button', { name: 'Try now' }).click()
  await expect.poll(() => storedRow(page, ofUser(main.id), 'lists', 'branches')).toBeDefined()
})
