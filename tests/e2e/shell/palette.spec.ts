import type { Page, Route } from '@playwright/test'
import { addMonths, lastDayOfMonth } from '../../../src/domain/months.ts'
import { addDays, formatDay, formatMonth, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../../src/domain/vouchers.ts'
import { readyOffline, scan, scanAtVouchers, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoided,
  makeVoucher,
  type Merchant,
} from '../../support/database/builders.ts'
import { saveFile } from '../../support/reports/reportPage.ts'

/** The delay of typing by hand, slower than any scanner. */
const BY_HAND = { delay: 130 }

const field = (page: Page) => page.getByRole('combobox', { name: 'Search or run a command' })
const options = (page: Page) => page.getByRole('option')
const active = (page: Page) => page.getByRole('option', { selected: true })

async function openPalette(page: Page) {
  // A frame that was just drawn does not handle keys yet.
  await expect(async () => {
    if (!(await field(page).isVisible())) await page.keyboard.press('Control+k')
    await expect(field(page)).toBeFocused({ timeout: 1_000 })
  }).toPass()
  await expect(options(page).first()).toBeVisible()
}

/** Types and waits for the new results, which look much like those of the letter before. */
async function find(page: Page, typed: string, first: string | RegExp) {
  await field(page).fill(typed)
  await expect(active(page)).toContainText(first)
}

async function withRecords({ database: { db } }: PortalOrigin) {
  const merchant = await makeMerchant(db)
  const { organisation } = merchant
  const kiosk = await makeBranch(db, organisation, { name: 'Toa Payoh Kiosk' })
  const wave = await makeBranch(db, organisation, { name: 'Kallang Wave' })
  const till = await makePosUser(db, { organisation, branch: wave })
  const master = await makeUser(db, 'Additional Merchant', merchant, { name: 'Étienne East' })
  return { ...merchant, kiosk, wave, till, master }
}

async function atDashboard(page: Page, { main }: Pick<Merchant, 'main'>) {
  await logIn(page, main, '/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
}

test('a few letters lead to pages, branches, POS users, masters, views and commands, by keys alone @short', async ({
  page,
  origin,
}) => {
  const records = await withRecords(origin)
  await atDashboard(page, records)
  await openPalette(page)
  await find(page, 'payoh', 'Toa Payoh Kiosk')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id'))!)
  await expect(active(page)).toContainText('Branch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/branches/${records.kiosk.id}/view`)

  await openPalette(page)
  await find(page, 'kalang', 'Kallang Wave')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/branches/${records.wave.id}/view`)
  await openPalette(page)
  await find(page, records.till.loginName, records.till.loginName)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('row', { name: new RegExp(records.till.loginName) })).toBeVisible()
  await openPalette(page)
  await find(page, 'etienne', 'Étienne East')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/masters/${records.master.id}/edit`)
  await openPalette(page)
  await find(page, 'new branch', 'Create branch')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/branches/create')

  // Words that other products use for it.
  await openPalette(page)
  await find(page, 'void', 'Voided')
  await field(page).fill('refund')
  await expect(options(page).filter({ hasText: 'View of Vouchers' })).toContainText('Voided')
  await find(page, 'tills', 'Tills')
  await find(page, 'voided', 'Voided')
  await options(page).filter({ hasText: 'View of Vouchers' }).click()
  await expect(page.getByRole('button', { name: /^View: / })).toHaveAccessibleName('View: Voided')

  await openPalette(page)
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toContainText('Create adhoc branch')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(active(page)).toHaveAttribute('id', (await options(page).last().getAttribute('id'))!)
  await field(page).fill('zzzz')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await expect(options(page)).toHaveText([/^Search activity for “zzzz”/, /^Look in Help/])
  await find(page, 'log out', 'Logout')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/login/)
})

test('a question is answered with its vouchers and its file, in three clicks or fewer @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const records = await withRecords(origin)
  const today = singaporeDay(origin.clock.now())
  const yesterday = addDays(today, -1)
  const month = addMonths(today.slice(0, 7), -1)
  const { voucher, entry } = await makeRedemption(db, records.till, addDays(today, -2), { denominationCents: 500 })
  await makeVoided(db, entry, startOfDay(yesterday))
  const other = await makeRedemption(db, records.till, addDays(today, -3))
  await makeVoided(db, other.entry, startOfDay(addDays(today, -3)))
  await makeRedemption(db, records.till, `${month}-05`)
  await atDashboard(page, records)
  const taps = await countTaps(page)
  await page.getByRole('button', { name: 'Search or run a command' }).click()
  await find(page, 'voided yesterday', '1 voucher, $5.00')
  await expect(page.getByRole('status').filter({ hasText: '1 voucher, $5.00' })).toBeAttached()
  await expect(options(page).filter({ hasText: formatSerial(voucher.serial) })).toContainText('$5.00')
  await expectAccessibleAndFits(page, 'palette with an answer')
  await active(page).click()
  const row = page.locator('tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText([`${formatSerial(voucher.serial)}$5.00${formatDay(yesterday)}, 00:00`])
  await expect(row).toContainText([records.till.loginName])
  await expect(page.getByRole('button', { name: /^View: / })).toHaveAccessibleName('View: All')
  await expect(page.getByLabel('Voided from')).toHaveValue(yesterday)
  expect(taps()).toBeLessThanOrEqual(2)

  const before = taps()
  await page.getByRole('button', { name: 'Search or run a command' }).click()
  await field(page).fill(`${formatMonth(month)} kallang`)
  await options(page).filter({ hasText: 'Download Transaction Report' }).click()
  const { name } = await saveFile(page)
  expect(name).toBe(`Transaction Report, ${month}-01 to ${lastDayOfMonth(month)}, Kallang Wave.xlsx`)
  expect(taps() - before).toBeLessThanOrEqual(3)

  await openPalette(page)
  await find(page, 'void wave', 'Voided vouchers, Kallang Wave')
  await find(page, 'payout last month', 'Payments')
  await field(page).fill('nobody knows')
  await options(page).filter({ hasText: 'Search activity for “nobody knows”' }).click()
  await expect(page.getByRole('searchbox', { name: 'Person, action or record' })).toHaveValue('nobody knows')
})

test('the focus returns to where it was, and keys typed before the palette is there are not lost', async ({
  page,
  origin,
}) => {
  const records = await withRecords(origin)
  await atDashboard(page, records)
  const button = page.getByRole('button', { name: 'Search or run a command' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(button).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(button).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('create b', BY_HAND)
  await expect(field(page)).toHaveValue('create b')
  await expect(active(page)).toContainText('Create branch')
  await expect(page).toHaveURL('/dashboard')
})

test('the focus returns to where it was although the palette was late, and another dialog stood in its place', async ({
  page,
  origin,
}) => {
  const held: Route[] = []
  await page.route(/\/assets\/Palette-.*\.js/, (route) => void held.push(route))
  await atDashboard(page, await withRecords(origin))
  const button = page.getByRole('button', { name: 'Search or run a command' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Still downloading' })).toBeVisible()
  await Promise.all(held.map((route) => route.continue()))
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('what a person may not see or do is not in it', async ({ page, origin }) => {
  const { db } = origin.database
  const { organisation, branch, wave, till } = await withRecords(origin)
  const stranger = await withRecords(origin)
  const clerk = await makeUser(db, 'Branch Merchant', { organisation, branch })
  const own = await makePosUser(db, { organisation, branch })
  await logIn(page, clerk, '/dashboard')
  await openPalette(page)
  for (const name of ['Masters', 'Branches', 'Create branch', 'Create master', 'Adhoc branches']) {
    await field(page).fill(name)
    await expect(field(page)).toHaveValue(name)
    await expect(page.getByRole('option', { name: new RegExp(`^${name}`) })).toHaveCount(0)
  }
  await find(page, 'vouchers', 'Vouchers')
  for (const hidden of [wave.name, till.loginName, stranger.till.loginName, 'Étienne']) {
    await field(page).fill(hidden)
    await expect(field(page)).toHaveValue(hidden)
    const found = options(page).filter({ hasText: hidden, hasNotText: 'Search activity for' })
    await expect(found).toHaveCount(0)
  }
  await find(page, own.loginName, own.loginName)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/profile\?/)
  await expect(page.getByRole('row', { name: new RegExp(own.loginName) })).toBeVisible()
})

test('a serial that is typed leads to its voucher, and a scanner of the page underneath gets its code', async ({
  page,
  origin,
}) => {
  const records = await withRecords(origin)
  const { voucher } = await makeRedemption(origin.database.db, records.till, new Date())
  await atDashboard(page, records)
  await openPalette(page)
  await find(page, formatSerial(voucher.serial), 'Find voucher')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/vouchers\?q=/)
  await openPalette(page)
  await scanAtVouchers(page, (await makeVoucher(origin.database.db)).serial)
  await expect(page.locator('html')).not.toHaveClass(/has-dialog/)
})

testWithWorker(
  'without a connection it works on what the device has, and what needs the connection says so',
  async ({ page, origin, context }) => {
    const records = await withRecords(origin)
    await atDashboard(page, records)
    await readyOffline(page)
    await openPalette(page)
    await find(page, 'kallang', 'Kallang Wave')
    await page.keyboard.press('Escape')
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Search or run a command' })).toBeVisible()
    await openPalette(page)
    await find(page, 'create b', 'Create branch')
    await expect(active(page)).toHaveAttribute('aria-disabled', 'true')
    await expect(active(page)).toContainText('Needs a connection')
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await field(page).fill('yesterday kiosk')
    await expect(options(page).filter({ hasText: 'Redeemed vouchers' })).toContainText('Needs a connection')
    await expect(options(page).filter({ hasText: 'Download Transaction Report' })).toContainText('XLSX, once online')
    await find(page, 'kiosk', 'Toa Payoh Kiosk')
    await find(page, 'this dev', 'This device')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/settings/device')
  },
)

test('the counter has none of it: a scanner that sends control letters redeems, and nothing opens @short', async ({
  page,
  origin,
}) => {
  const till = await makePosUser(origin.database.db)
  const { serial } = await makeVoucher(origin.database.db)
  await logIn(page, till)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('?gs', BY_HAND)
  await expect(page.getByRole('button', { name: 'Search or run a command' })).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await scan(page, serial, page.getByText(formatSerial(serial)).first())
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/redeem')
})

test('on a phone the palette opens and is chosen from by thumb, and gives the focus back', async ({ page, origin }) => {
  const records = await withRecords(origin)
  await page.setViewportSize({ width: 390, height: 844 })
  await atDashboard(page, records)
  const button = page.getByRole('button', { name: 'Search or run a command' })
  const box = await button.boundingBox()
  expect(Math.min(box!.height, box!.width)).toBeGreaterThanOrEqual(44)
  await button.click()
  await expect(field(page)).toBeFocused()
  await find(page, 'wave', 'Kallang Wave')
  expect((await active(page).boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await expectAccessibleAndFits(page, 'palette')
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(field(page)).toHaveCount(0)
  await expect(button).toBeFocused()
})

test('Dashboard, Daily Report and Activity are found where one looks first', async ({ page, origin }) => {
  await logIn(page, (await withRecords(origin)).main, '/reports/monthly-report')
  const tabs = page.getByRole('navigation', { name: 'Reports' })
  await expect(tabs.getByRole('link', { name: 'Monthly Report' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Daily Report' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Daily Report' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Menu', exact: true }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Menu' })).toHaveCount(0)
})
