import type { Page } from '@playwright/test'
import { addDays, formatShortDay, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { invite } from '../../support/accounts/invite.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { button, PHONE } from '../../support/accounts/loginPage.ts'
import { makeActors } from '../../support/api/actors.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeHold,
  makeOrganisation,
  makePosUser,
  makeRedemption,
  makeTill,
  makeUser,
  makeVoided,
} from '../../support/database/builders.ts'

/** Just after midnight, this many days ago: never in the future, and always on that day. */
const daysAgo = (origin: PortalOrigin, days: number) => startOfDay(addDays(singaporeDay(origin.clock.now()), -days))

/**
 * Makes three vouchers of $10.00 today at one branch, two of $20.00 at another, one of $5.00 yesterday and some a month ago; one more
 * of today was voided.
 */
async function business(origin: PortalOrigin) {
  const { db } = origin.database
  const actors = await makeActors(db)
  const take = (days: number, cents: number, till = actors.till) =>
    makeRedemption(db, till, daysAgo(origin, days), { denominationCents: cents })
  for (let n = 0; n < 3; n += 1) await take(0, 1_000)
  for (let n = 0; n < 2; n += 1) await take(0, 2_000, actors.otherTill)
  await take(1, 500)
  for (const days of [27, 28, 29, 30]) await take(days, 1_000)
  const { entry } = await take(0, 1_000)
  await makeVoided(db, entry, origin.clock.now())
  return actors
}

const figure = (page: Page, name: string | RegExp) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })
const drawing = (page: Page) => page.getByRole('application', { name: /^Redeemed per day/ })
const panel = (page: Page, name: string | RegExp) => page.getByRole('region', { name })
const said = (page: Page, words: RegExp) => page.getByRole('status').filter({ hasText: words })

/** Follows a figure's link to the table, expects `count` rows, and comes back. */
async function expectProof(page: Page, link: ReturnType<Page['locator']>, count: number) {
  await link.click()
  await expect(page).toHaveURL(/\/vouchers\?/)
  await expect(page.locator('[data-table-foot], [data-empty]').first()).toBeVisible()
  if (count === 0) await expect(page.locator('tbody tr a')).toHaveCount(0)
  else await expect(page.locator('[data-table-foot]')).toContainText(new RegExp(`of ${count}(?!\\d)`))
  await page.goBack()
  await expect(figure(page, 'Redeemed today')).toBeVisible()
}

test('every number leads to the table whose total it is, and a voided redemption is in neither @short', async ({
  page,
  origin,
}) => {
  const { users, till, branch, otherBranch } = await business(origin)
  await makeHold(origin.database.db, till, origin.clock.now())
  await logIn(page, users.HRP)
  await expect(figure(page, 'Redeemed today')).toContainText('$70.00')
  await expect(figure(page, 'Redeemed today')).toContainText('5 vouchers')
  await expect(figure(page, 'On hold at tills')).toContainText('1 voucher, 1 till')
  const month = Number(/(\d+) vouchers/.exec(await figure(page, 'Redeemed this month').innerText())![1])
  expect(month).toBeGreaterThanOrEqual(5)

  await expectProof(page, figure(page, 'Redeemed today').getByRole('link'), 5)
  await expectProof(page, figure(page, 'Redeemed this month').getByRole('link'), month)
  await expectProof(page, figure(page, 'On hold at tills').getByRole('link'), 1)
  const shares = panel(page, 'By branch, this month').getByRole('row')
  await expectProof(page, shares.filter({ hasText: otherBranch.name }).getByRole('link').last(), 2)
  const twenties = page.getByRole('cell', { name: '$20.00', exact: true })
  const byDenomination = panel(page, 'By denomination, this month').getByRole('row')
  await expectProof(page, byDenomination.filter({ has: twenties }).getByRole('link'), 2)

  await shares.getByRole('link', { name: branch.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: branch.name })).toBeVisible()
})

test('the keys go over the chart, each day is said, and Enter opens its vouchers', async ({ page, origin }) => {
  const { users } = await business(origin)
  await logIn(page, users.HRP)
  const today = singaporeDay(origin.clock.now())
  await expect(drawing(page)).toHaveAccessibleName(/28 values, .+ to Today\. Lowest .+\. Today so far \$70\.00\.$/)
  await expect(page.locator('[data-plot]')).toBeVisible()
  await drawing(page).focus()
  await page.keyboard.press('End')
  await expect(said(page, /^Today so far: \$70\.00\. 4 weeks before: \$10\.00$/)).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowLeft')
  const yesterday = formatShortDay(addDays(today, -1))
  await expect(said(page, new RegExp(`^${yesterday}: \\$5\\.00\\. 4 weeks before: \\$10\\.00$`))).toBeAttached()
  await page.keyboard.press('Home')
  const first = formatShortDay(addDays(today, -27))
  await expect(said(page, new RegExp(`^${first}: \\$10\\.00\\. 4 weeks before: \\$0\\.00$`))).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(said(page, new RegExp(`^${first}`))).toBeAttached()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(addDays(today, -27)))
  await expect(page.locator('tbody tr')).toHaveCount(1)
})

test('one tab stop leads past the chart, and the same numbers stand in a table', async ({ page, origin }) => {
  const { users } = await business(origin)
  await logIn(page, users.HRP)
  await drawing(page).focus()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Show table')).toBeFocused()
  await page.keyboard.press('Enter')
  const table = page.getByRole('table', { name: 'Redeemed per day' })
  await expect(table.getByRole('row')).toHaveCount(29)
  const now = table.getByRole('row', { name: /^Today so far/ })
  await expect(now).toContainText('$70.00')
  await expectNoAxeViolations(page)
  await expectProof(page, now.getByRole('link'), 5)
  await expect(drawing(page)).toBeVisible()
})

test('a theme chosen in the account menu colours the chart, and is there again with the first paint', async ({
  page,
  origin,
}) => {
  const { users } = await business(origin)
  await logIn(page, users.HRP)
  const barColour = () =>
    page
      .locator('[data-bar] > div')
      .first()
      .evaluate((bar) => getComputedStyle(bar).backgroundColor)
  const light = await barColour()
  const choose = async (theme: string) => {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitemradio', { name: theme }).click()
  }
  await choose('Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(barColour).not.toBe(light)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('button', { name: 'Account menu' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await page.keyboard.press('Escape')
  await choose('As this device')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')

  const wide = (await page.locator('[data-plot]').boundingBox())!.width
  await page.setViewportSize(PHONE)
  await expect.poll(async () => (await page.locator('[data-plot]').boundingBox())!.width).toBeLessThan(wide / 1.5)
  await expectNoSidewaysScroll(page)
})

test('the pointer shows a day, and a press opens its vouchers', async ({ page, origin }) => {
  const { users } = await business(origin)
  await logIn(page, users.HRP)
  const today = page.locator('[data-bar]').last()
  await today.hover()
  await expect(page.locator('[data-plot]')).toContainText('Today so far: $70.00')
  await today.click()
  await expect(page).toHaveURL(/\/vouchers\?/)
  await expect(page.locator('[data-table-foot]')).toContainText('of 5')
})

test('a day under the pointer is marked in the chart and in its table', async ({ page, origin }) => {
  const { users } = await business(origin)
  await logIn(page, users.HRP)
  await button(page, 'Show table').click()
  const table = page.getByRole('table', { name: 'Redeemed per day' })
  const marked = table.locator('tr[data-active]')
  await page.locator('[data-bar]').last().hover()
  await expect(marked).toContainText('Today so far')
  await expect(marked).toBeInViewport()
  const first = table.getByRole('row').nth(1)
  await first.hover()
  await expect(page.locator('[data-plot]')).toContainText(await first.getByRole('rowheader').innerText())
  await expect(page.getByText('Up to yesterday $15.00, 25% less than in the 4 weeks before ($20.00).')).toBeVisible()
})

test('the busy hours are told in words by pointer and by keys, and compared with the weeks before', async ({
  page,
  origin,
}) => {
  const { users, till } = await business(origin)
  const { db } = origin.database
  const noon = (days: number) => new Date(daysAgo(origin, days).getTime() + 12 * 3_600_000)
  for (let n = 0; n < 3; n += 1) await makeRedemption(db, till, noon(7), { denominationCents: 1_000 })
  for (let n = 0; n < 4; n += 1) await makeRedemption(db, till, noon(63), { denominationCents: 500 })
  await logIn(page, users.HRP)
  const hours = panel(page, 'Busy hours')
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Asia/Singapore' }).format(noon(7))
  await expect(hours).toContainText(`Busiest: ${weekday}, 12:00–13:00, 3 vouchers in 8 weeks. In all 8 vouchers`)
  const told = `${weekday}, 12:00–13:00: 3 vouchers, $30.00, 50% more than in the 8 weeks before ($20.00)`
  const busiest = hours.getByRole('gridcell', { name: told })
  await busiest.hover()
  await expect(hours.locator('p').first()).toHaveText(`${told}.`)
  await page.mouse.move(0, 0)
  await expect(hours).toContainText('Busiest:')
  await hours.getByRole('gridcell').first().focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('End')
  await expect(hours.getByRole('gridcell', { name: /^Sunday: / })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(hours.getByRole('gridcell', { name: /^Monday: / })).toBeFocused()
  await expect(hours.locator('p').first()).toContainText('Monday: ')
  await expectNoAxeViolations(page)
})

test('on the day of the first voucher the busy hours say when they begin', async ({ page, origin }) => {
  const { db } = origin.database
  const organisation = await makeOrganisation(db)
  const branch = await makeBranch(db, organisation)
  await makeRedemption(db, await makePosUser(db, { organisation, branch }), daysAgo(origin, 0))
  await logIn(page, await makeUser(db, 'HRP Merchant', { organisation }))
  await expect(panel(page, 'Busy hours')).toContainText('Today’s vouchers are counted from tomorrow.')
  await expect(page.getByRole('grid')).toHaveCount(0)
})

testWithWorker(
  'without a connection it shows the last figures with their age, and what needed attention then',
  async ({ page, origin }) => {
    const { users, organisation, otherBranch } = await business(origin)
    await invite(origin.database.db, { organisation, branch: otherBranch }, daysAgo(origin, 9))
    await logIn(page, users.HRP)
    await expect(figure(page, 'Redeemed today')).toContainText('$70.00')
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByText(/Offline\. This is as of \d\d:\d\d today/)).toBeVisible()
    await expect(figure(page, 'Redeemed today')).toContainText('$70.00')
    await expect(page.locator('[data-plot]')).toBeVisible()
    await expect(panel(page, 'Needs attention')).toContainText(otherBranch.name)
    await expectNoAxeViolations(page)
    await origin.restore()
    await button(page, 'Try now').click()
    await expect(page.getByText(/This is as of/)).toHaveCount(0)
  },
)

test('it is read anew by a press, and when the tab is seen again after a while', async ({ page, origin }) => {
  const { users, till } = await business(origin)
  await page.clock.install()
  await logIn(page, users.HRP)
  await expect(figure(page, 'Redeemed today')).toContainText('$70.00')
  await makeRedemption(origin.database.db, till, daysAgo(origin, 0), { denominationCents: 500 })
  await button(page, 'Reload figures').click()
  await expect(figure(page, 'Redeemed today')).toContainText('$75.00')
  await makeRedemption(origin.database.db, till, daysAgo(origin, 0), { denominationCents: 500 })
  const seen = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  const asked = () => origin.sent('GET', '/api/dashboard').length
  const before = asked()
  await seen()
  await page.clock.fastForward(31_000)
  await seen()
  await expect(figure(page, 'Redeemed today')).toContainText('$80.00')
  expect(asked()).toBe(before + 1)
})

test('what needs attention leads to where it is mended, and is gone once it was', async ({ page, origin }) => {
  const { db } = origin.database
  const { users, organisation, otherBranch, till, branch } = await business(origin)
  const weekAgo = new Date(origin.clock.now().getTime() - 8 * 86_400_000)
  const login = await invite(db, { organisation, branch: otherBranch }, weekAgo)
  const { id: tillId } = await makeTill(db, till)
  await makeHold(db, till, new Date(origin.clock.now().getTime() - 22.5 * 3_600_000), {
    denominationCents: 2_000,
    hold: { tillId },
  })
  await logIn(page, users.HRP)
  const attention = panel(page, 'Needs attention')
  const item = (title: string) => attention.getByRole('listitem').filter({ hasText: title })
  await expect(item('Till 1: 1 held, $20.00, not settled')).toContainText(branch.name)
  await expect(item('Invitation expired')).toContainText(`${otherBranch.name}: nobody followed the link`)
  await expect(item('Invitation expired')).toContainText(login.loginName)
  await expect(attention.getByRole('listitem')).toHaveCount(2)

  await item('Invitation expired').getByRole('link').click()
  await expect(page).toHaveURL(`/branches/${otherBranch.id}/view`)
  await button(page, 'Resend activation email').click()
  await expect(page.getByText(`Activation email sent to ${login.loginName}`)).toBeVisible()
  await page.goBack()
  await expect(attention.getByRole('listitem')).toHaveCount(1)
  await item('Till 1').getByRole('link').click()
  await expect(page.getByRole('combobox', { name: 'Needs attention' })).toHaveValue('not settled')
})

testWithWorker(
  'a new merchant sees the first steps until the first redemption, offline as of then',
  async ({ page, origin }) => {
    const { db } = origin.database
    const organisation = await makeOrganisation(db)
    const main = await makeUser(db, 'HRP Merchant', { organisation })
    await logIn(page, main)
    await expect(figure(page, 'Redeemed today')).toContainText('$0.00')
    const steps = panel(page, /^First steps/)
    const next = steps.locator('[aria-current=step]')
    const become = async (done: string, title: string) => {
      await button(page, 'Reload figures').click()
      await expect(steps.getByRole('heading')).toHaveText(`First steps: ${done} done`)
      await expect(next).toContainText(title)
    }
    await expect(steps.getByRole('link', { name: 'Create branch' })).toHaveAttribute('href', '/branches/create')
    await expect(panel(page, 'Latest redemptions')).toHaveCount(0)
    await expectNoAxeViolations(page)

    const branch = await makeBranch(db, organisation)
    await become('1 of 4', 'Create a POS user')
    await expect(steps.getByRole('link')).toHaveAttribute('href', `/branches/${branch.id}/view?tab=pos`)
    const user = await makePosUser(db, { organisation, branch })
    await become('2 of 4', 'Set up a till')
    await next.getByRole('button', { name: 'Add a till' }).click()
    await expect(page.getByRole('dialog', { name: 'Add a till' }).getByLabel('Name')).toHaveValue('Front counter')
    await page.keyboard.press('Escape')
    await makeTill(db, { id: user.id, branch })
    await become('3 of 4', 'Redeem a practice voucher')
    await expect(next.getByRole('link', { name: 'Practise' })).toHaveAttribute('href', '/practise')

    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(steps.getByRole('heading')).toHaveText('First steps: 3 of 4 done')

    await makeRedemption(db, user, daysAgo(origin, 0), { denominationCents: 1_000 })
    await origin.restore()
    const now = button(page, 'Try now')
    await expect(async () => {
      if (await now.isVisible()) await now.click({ timeout: 1_000 })
      await expect(figure(page, 'Redeemed today')).toContainText('$10.00', { timeout: 3_000 })
    }).toPass()
    await expect(steps).toHaveCount(0)
  },
)
