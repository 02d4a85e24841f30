import type { Page } from '@playwright/test'
import { v7 as uuidv7 } from 'uuid'
import { addDays, formatDay, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { PHONE } from '../../support/accounts/loginPage.ts'
import { expectNoAxeViolations, expectNoSidewaysScroll } from '../../support/browser/accessibility.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expectAppTookOver } from '../../support/browser/firstScreen.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeVoided,
  type User,
} from '../../support/database/builders.ts'
import { makeRow } from '../../support/database/rows.ts'

const act = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const acts = (page: Page) => page.locator('tbody tr [data-opens]')

/** Writes an activity of this user into the log, at the current time. */
const did = ({ database, clock }: PortalOrigin, by: User, act: Record<string, unknown>) => {
  const from = { organisationId: by.organisationId, userId: by.id, actor: by.loginName, via: 'portal' }
  return makeRow(database.db, 'activity', { id: uuidv7(), at: clock.now(), ...from, details: {}, ...act })
}

/** Writes seven earlier logins into the log: with fewer than ten entries it has no tools. */
async function loggedInBefore(origin: PortalOrigin, by: User) {
  const about = { subjectType: 'main', subjectId: by.id, subjectName: by.loginName }
  for (let n = 0; n < 7; n += 1) await did(origin, by, { action: 'session.logged_in', ...about })
}

const EARLIER: readonly string[] = Array(7).fill('Logged in')

/** Makes a merchant whose branch was closed and edited by its master, as the log says. */
async function merchantWithPast(origin: PortalOrigin) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await loggedInBefore(origin, merchant.main)
  const master = await makeUser(db, 'Additional Merchant', merchant, { name: 'East Region' })
  const { id, name } = merchant.branch
  const about = { subjectType: 'branch', subjectId: id, subjectName: name, branchId: id, device: 'Safari on iOS' }
  await did(origin, master, { action: 'branch.deactivated', ...about })
  const details = { changed: 'name, address', old_name: 'Bugis' }
  await did(origin, master, { action: 'branch.edited', ...about, details })
  return { ...merchant, master }
}

test('who did what is read, opened, narrowed and led on to its record @short', async ({ page, origin }) => {
  const { main, master, branch } = await merchantWithPast(origin)
  await logIn(page, main)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible()
  await expect(acts(page)).toHaveText([
    'Logged in',
    `Edited branch ${branch.name}`,
    `Deactivated branch ${branch.name}`,
    ...EARLIER,
  ])

  await act(page, `Edited branch ${branch.name}`).click()
  const dialog = page.getByRole('dialog', { name: `Edited branch ${branch.name}` })
  await expect(dialog).toContainText(master.loginName)
  await expect(dialog).toContainText('Safari on iOS')
  await expect(dialog).toContainText('Changedname, address')
  await expect(dialog).toContainText('Name beforeBugis')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(act(page, `Edited branch ${branch.name}`)).toBeFocused()

  await expect(page.locator('tbody tr').nth(1).locator('td').nth(2)).toHaveText(branch.name)
  await page.getByLabel('Action', { exact: true }).selectOption('Logins')
  await expect(acts(page)).toHaveText(['Logged in', ...EARLIER])
  await expect(page).toHaveURL(/Logins/)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Person', { exact: true }).selectOption({ label: master.loginName })
  await expect(acts(page)).toHaveCount(2)
  await page.reload()
  await expect(acts(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Person, action or record').fill('no such thing')
  await expect(page.getByText('No activity found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()

  await act(page, `Deactivated branch ${branch.name}`).click()
  await page.getByRole('link', { name: 'Open branch' }).click()
  await expect(page.getByRole('heading', { level: 1, name: branch.name })).toBeVisible()
})

test('every record leads to what was done to it', async ({ page, origin }) => {
  const { main, master, branch, organisation } = await merchantWithPast(origin)
  const till = await makePosUser(origin.database.db, { organisation, branch })
  const { voucher } = await makeRedemption(origin.database.db, till, '2026-11-20')
  await logIn(page, main, `/branches/${branch.id}/view`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(page.getByLabel('About')).toHaveValue(`branch:${branch.id}`)
  await expect(acts(page)).toHaveText([`Edited branch ${branch.name}`, `Deactivated branch ${branch.name}`])

  await page.goto(`/branches/${branch.id}/view?tab=pos`)
  await page.getByRole('button', { name: `Actions for ${till.loginName}` }).click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Deactivate/ })
    .click()
  await expect(page.getByText(`${till.loginName} deactivated`)).toBeVisible()
  await page.getByRole('button', { name: `Actions for ${till.loginName}` }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await expect(acts(page)).toHaveText([`Deactivated POS user ${till.loginName}`])

  await page.goto(`/masters/${master.id}/edit`)
  await page.getByRole('main').getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByLabel('About')).toHaveValue(`master:${master.id}`)
  await expect(page.getByText('No activity found')).toBeVisible()
  await expect(page.getByText('Nothing to export.')).toBeVisible()

  await page.goto(`/vouchers?voucher=${voucher.id}`)
  await page.getByRole('dialog').getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByLabel('About')).toHaveValue(`voucher:${voucher.id}`)

  await page.goto('/profile')
  // The login's activities have a link of the same name further down.
  await page.locator('a[href*=organisation]', { hasText: 'Activity' }).click()
  await expect(page.getByLabel('About')).toHaveValue(`organisation:${organisation.id}`)
})

testWithWorker(
  'without a connection the log stays readable with its age, on a phone in the dark too',
  async ({ page, context, origin }) => {
    const { main, branch } = await merchantWithPast(origin)
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    await logIn(page, main, '/activity')
    await readyOffline(page)
    await page.reload()
    await expect(acts(page)).toHaveCount(10)
    await expectNoSidewaysScroll(page)
    await expectNoAxeViolations(page)
    await context.setOffline(true)
    await page.reload()
    await expect(page.getByText(/This list is as of/)).toBeVisible()
    await expect(acts(page)).toHaveCount(10)
    await act(page, 'More').click()
    await expect(page.getByRole('button', { name: 'Export CSV' })).toHaveAttribute('aria-disabled', 'true')
    await act(page, `Edited branch ${branch.name}`).click()
    await expect(page.getByRole('dialog')).toContainText('Safari on iOS')
  },
)

test('where yesterday’s void was is told in at most 4 taps from the dashboard: among the vouchers in 3, in the log in 4 @short', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const other = await makeBranch(db, merchant.organisation, { name: 'Kallang Wave' })
  const till = await makePosUser(db, { organisation: merchant.organisation, branch: other })
  const yesterday = addDays(singaporeDay(origin.clock.now()), -1)
  const colleague = await makePosUser(db, merchant)
  for (let n = 0; n < 10; n += 1) await makeRedemption(db, colleague, yesterday)
  await loggedInBefore(origin, merchant.main)
  await did(origin, merchant.main, { action: 'session.logged_in', subjectType: 'main', subjectId: merchant.main.id })
  const { voucher, entry } = await makeRedemption(db, till, yesterday)
  await makeVoided(db, entry, startOfDay(yesterday))
  const about = { subjectType: 'voucher', subjectId: voucher.id, subjectName: `…${voucher.serial.slice(-4)}` }
  await did(origin, till, { action: 'redemption.voided', at: startOfDay(yesterday), branchId: other.id, ...about })
  await logIn(page, merchant.main)
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Voided' }).click()
  const row = page.locator('tbody tr')
  await expect(row).toHaveCount(1)
  await expect(row).toContainText(till.loginName)
  await expect(row).toContainText('Kallang Wave')
  await expect(row).toContainText(formatDay(yesterday))
  expect(taps()).toBe(3)

  await page.goto('/dashboard')
  await expectAppTookOver(page)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  await page.getByRole('button', { name: /^View:/ }).click()
  await page.getByRole('menuitemradio', { name: 'Voided redemptions' }).click()
  await expect(acts(page)).toHaveText([/^Voided the redemption of voucher …/])
  await expect(row).toContainText('Kallang Wave')
  expect(taps()).toBe(7)

  // A search by typing finds it too.
  await page.goto('/activity?q=void')
  await expect(acts(page)).toHaveText([/^Voided the redemption of voucher …/])
  await page.getByLabel('Branch', { exact: true }).selectOption(merchant.branch.name)
  await expect(page.getByText('No activity found')).toBeVisible()
})
