import type { Page } from '@playwright/test'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits, expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeBranch, makeInvited, makeMerchant, makePosUser, makeRedemption } from '../../support/database/builders.ts'

const viewButton = (page: Page) => page.getByRole('button', { name: /^View: / })
const status = (page: Page) => page.getByLabel('Status', { exact: true })

async function chooseView(page: Page, name: string | RegExp) {
  await viewButton(page).click()
  await page.getByRole('menuitemradio', { name }).click()
}

async function act(page: Page, name: string | RegExp) {
  await viewButton(page).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Makes a main account with ten branches, the newest of them inactive: a shorter list has no views. */
async function withBranches({ database: { db } }: PortalOrigin) {
  const merchant = await makeMerchant(db)
  for (let n = 1; n < 8; n += 1) await makeBranch(db, merchant.organisation)
  await makeBranch(db, merchant.organisation, { name: 'Kallang Wave' })
  await makeBranch(db, merchant.organisation, { name: 'Closed Corner', status: 'Inactive' })
  return merchant
}

async function saveAs(page: Page, name: string) {
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName(`View: ${name}`)
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: /^Log ?out$/ }).click()
  await expect(page).toHaveURL(/\/login/)
}

const storedViews = (page: Page) =>
  page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('views/'))
      .map((key) => localStorage.getItem(key))
      .join(''),
  )

test('a view is saved under a name, opened, replaced and deleted, and its address says what it shows @short', async ({
  page,
  origin,
}) => {
  const { main } = await withBranches(origin)
  await logIn(page, main, '/branches')
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await status(page).selectOption('Inactive')
  await expect(viewButton(page)).toHaveAccessibleName('View: Inactive')
  await page.getByLabel('Name, code or email').fill('Closed')
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await act(page, 'Save view…')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByRole('alert').or(dialog.getByText('Name is required')).first()).toBeVisible()
  await dialog.getByLabel('Name').fill('Resting')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('Resting saved')).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  const address = page.url()

  await chooseView(page, 'All')
  await expect(page).toHaveURL('/branches')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await chooseView(page, 'Resting')
  await expect(status(page)).toHaveValue('Inactive')
  await expect(page).toHaveURL(/q=Closed/)
  await page.goBack()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await page.goto(address)
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()

  // Saving under the same name replaces the view.
  await status(page).selectOption('')
  await act(page, 'Save view…')
  await dialog.getByLabel('Name').fill('Resting')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  await act(page, 'Delete “Resting”…')
  await page.getByRole('alertdialog', { name: 'Delete Resting?' }).getByRole('button', { name: 'Delete view' }).click()
  await expect(page.getByText('Resting deleted')).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await viewButton(page).click()
  await expect(page.getByRole('menuitemradio', { name: 'Resting' })).toHaveCount(0)
})

test('views are of one account: they stay after a logout, nobody else sees them, and they go with the stored data', async ({
  page,
  origin,
}) => {
  const { main } = await withBranches(origin)
  const { main: other } = await withBranches(origin)
  await logIn(page, main, '/branches')
  await status(page).selectOption('Active')
  await saveAs(page, 'Working')
  await logOut(page)
  await logIn(page, other, '/branches')
  await viewButton(page).click()
  await expect(page.getByRole('menuitemradio', { name: 'Inactive' })).toBeVisible()
  await expect(page.getByRole('menuitemradio', { name: 'Working' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await logOut(page)
  await logIn(page, main, '/branches')
  await chooseView(page, 'Working')
  await expect(status(page)).toHaveValue('Active')
  await page.goto('/settings/device')
  await page.getByText('For support').click()
  await page.getByRole('button', { name: 'Clear offline data' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear offline data' }).click()
  await expect.poll(() => storedViews(page)).toBe('')
})

test('built-in views fit their list, and "Today" is the day on which it is opened', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await withBranches(origin)
  const invited = await makeBranch(db, merchant.organisation, { name: 'Waiting Corner' })
  await makeInvited(db, 'Branch Merchant', { organisation: merchant.organisation, branch: invited })
  const till = await makePosUser(db, merchant)
  const today = singaporeDay(new Date())
  await makeRedemption(db, till, today)
  for (let n = 1; n < 10; n += 1) await makeRedemption(db, till, '2026-01-05')
  await logIn(page, merchant.main, '/branches')
  await chooseView(page, 'Pending invitations')
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Waiting Corner/ })).toBeVisible()
  await chooseView(page, 'Inactive')
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()

  await page.goto('/vouchers')
  await expect(page.getByText('1–10 of 10').first()).toBeVisible()
  await chooseView(page, 'Today')
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill('Mine of today')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Mine of today')
  await page.reload()
  await expect(viewButton(page)).toHaveAccessibleName('View: Mine of today')
  // Stored as "today", so it follows the date.
  expect(await storedViews(page)).toContain('"used_from":"today"')
  await chooseView(page, 'All')
  await expect(page.getByText('1–10 of 10').first()).toBeVisible()
  await chooseView(page, 'Mine of today')
  await expect(page.getByLabel('Used from')).toHaveValue(today)
})

testWithWorker('without a connection views are opened and saved', async ({ page, origin, context }) => {
  const { main } = await withBranches(origin)
  await logIn(page, main, '/branches')
  await readyOffline(page)
  await chooseView(page, 'Inactive')
  // The whole list shows the resting branch too: the view's own rows are there once the other branch is gone.
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
  await context.setOffline(true)
  await page.goto('/branches')
  await chooseView(page, 'Inactive')
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
  await saveAs(page, 'Resting')
})

test("menu and dialog of views are accessible and fit, with a thumb's size on a phone", async ({ page, origin }) => {
  const { main } = await withBranches(origin)
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, main, '/branches')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const box = await viewButton(page).boundingBox()
  expect(box!.height).toBeGreaterThanOrEqual(44)
  await viewButton(page).click()
  await expect(page.getByRole('menuitemradio', { name: 'Inactive' })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible()
  await expectAccessibleAndFits(page, 'a view to save')
})

test('a view that the browser does not store is not called saved', async ({ page, origin }) => {
  const { main } = await withBranches(origin)
  await page.addInitScript(() => {
    const set = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith('views/')) throw new DOMException('full', 'QuotaExceededError')
      set.call(this, key, value)
    }
  })
  await logIn(page, main, '/branches')
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('Mine was not saved: this browser stores nothing.')).toBeVisible()
  await viewButton(page).click()
  await expect(page.getByRole('menuitemradio', { name: 'Mine' })).toHaveCount(0)
})
