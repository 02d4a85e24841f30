import type { Page } from '@playwright/test'
import { eq } from 'drizzle-orm'
import { savedView } from '../../../server/db/schema/views.ts'
import { typedDate } from '../../../src/blocks/periods/periods.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits, expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeInvited,
  makeMerchant,
  makePosUser,
  makeRedemption,
  makeUser,
  makeView,
} from '../../support/database/builders.ts'

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

/** A main account with an active and an inactive branch. */
async function withBranches({ database: { db } }: PortalOrigin) {
  const merchant = await makeMerchant(db)
  await makeBranch(db, merchant.organisation, { name: 'Kallang Wave' })
  await makeBranch(db, merchant.organisation, { name: 'Closed Corner', status: 'Inactive' })
  return merchant
}

test('a view is saved under a name, opened by its link, changed, reset, updated, renamed and deleted @short', async ({
  page,
  origin,
}) => {
  const { main } = await withBranches(origin)
  await signIn(page, main, '/branches')
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await status(page).selectOption('Inactive')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toHaveCount(0)
  await act(page, 'Save view…')
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(dialog.getByRole('alert').or(dialog.getByText('Name is required')).first()).toBeVisible()
  await dialog.getByLabel('Name').fill('Resting')
  await dialog.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  await expect(page).toHaveURL(/view=[0-9a-f-]{36}/)
  const id = new URL(page.url()).searchParams.get('view')!

  // The link with nothing but the view is written out, in the same step of the history.
  await page.goto('/dashboard')
  await page.goto(`/branches?view=${id}`)
  await expect(status(page)).toHaveValue('Inactive')
  await expect(page).toHaveURL(/filter=/)
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')

  await status(page).selectOption('Active')
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting, edited')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(status(page)).toHaveValue('Inactive')
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  // Cleared by hand it stays cleared.
  await status(page).selectOption('')
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting, edited')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await status(page).selectOption('Active')
  await act(page, 'Update “Resting”')
  await expect(page.getByText('Resting updated')).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')

  await act(page, 'Rename or share…')
  await page.getByLabel('Name', { exact: true }).fill('Working')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Working')
  await page.reload()
  await expect(viewButton(page)).toHaveAccessibleName('View: Working')
  await expect(status(page)).toHaveValue('Active')
  await act(page, 'Delete…')
  await page.getByRole('alertdialog', { name: 'Delete Working?' }).getByRole('button', { name: 'Delete view' }).click()
  await expect(page.getByText('Working deleted')).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await expect(page).toHaveURL('/branches')
  await page.goto(`/branches?view=${id}`)
  await expect(page.getByText('This view was deleted, or is no longer shared with you.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page).toHaveURL('/branches')
})

test('a default opens the list that is opened with nothing in its URL; Back leaves it, and all of it is a press away', async ({
  page,
  origin,
}) => {
  const { main } = await withBranches(origin)
  await signIn(page, main, '/branches')
  await status(page).selectOption('Inactive')
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill('Resting')
  await page.getByLabel('Open this list with it').check()
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Branches', exact: true }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')
  await expect(status(page)).toHaveValue('Inactive')
  await page.goBack()
  await expect(page).toHaveURL('/dashboard')
  await page.goForward()
  await expect(viewButton(page)).toHaveAccessibleName('View: Resting')

  await chooseView(page, 'All')
  await expect(page).toHaveURL('/branches?view=all')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  // A link that says what it shows is not overruled.
  await page.goto('/branches?q=Kallang')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await chooseView(page, /^Resting/)
  // What is said is so already: who opens the list in that moment gets it without.
  await origin.line({ kind: 'slow', delayMs: 1_000 }, ({ path }) => path === '/api/view/list')
  await act(page, 'Do not open by default')
  await expect(page.getByText('Resting is not the default any more')).toBeVisible()
  await page.goto('/branches')
  await expect(page.getByRole('row', { name: /Kallang Wave/ })).toBeVisible()
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
})

test('built-in views fit their list, and "Today" is the day on which it is opened', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await withBranches(origin)
  const invited = await makeBranch(db, merchant.organisation, { name: 'Waiting Corner' })
  await makeInvited(db, 'Branch Merchant', { organisation: merchant.organisation, branch: invited })
  const till = await makePosUser(db, merchant)
  const today = singaporeDay(new Date())
  await makeRedemption(db, till, today)
  await makeRedemption(db, till, '2026-01-05')
  await signIn(page, merchant.main, '/branches')
  await chooseView(page, 'Pending invitations')
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('row', { name: /Waiting Corner/ })).toBeVisible()
  await chooseView(page, 'Inactive')
  await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()

  await page.goto('/vouchers')
  await expect(page.getByText('1–2 of 2').first()).toBeVisible()
  await chooseView(page, 'Today')
  await expect(page.getByText('1 of 1', { exact: true }).first()).toBeVisible()
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill('Mine of today')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Mine of today')
  const id = new URL(page.url()).searchParams.get('view')!
  const [stored] = await db.select().from(savedView).where(eq(savedView.id, id))
  expect(stored?.state).toMatchObject({ filter: { used_from: 'today', used_to: 'today' } })
  await page.goto(`/vouchers?view=${id}`)
  await expect(page.getByLabel('Used from')).toHaveValue(typedDate(today, 'day'))
})

test('a view that is shared is there for a colleague, who may open it and change nothing', async ({ page, origin }) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const clerk = await makeUser(db, 'Branch Merchant', merchant)
  const state = { q: '', filter: { status: 'Inactive' }, sort: 'username', dir: 'asc', size: 25, hidden: ['password'] }
  await makeView(db, merchant.main, { list: 'pos', name: 'Gone', shared: true, state })
  await makeView(db, merchant.main, { list: 'pos', name: 'Private' })
  await makePosUser(db, merchant, { loginName: 'left-long-ago', status: 'Inactive' })
  await makePosUser(db, merchant, { loginName: 'still-here' })
  await signIn(page, clerk, '/profile')
  await viewButton(page).click()
  await expect(page.getByRole('group', { name: 'Shared with me' })).toContainText(merchant.main.loginName)
  await expect(page.getByRole('menuitemradio', { name: 'Private' })).toHaveCount(0)
  await page.getByRole('menuitemradio', { name: 'Gone' }).click()
  await expect(page.getByRole('row', { name: /left-long-ago/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /still-here/ })).toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: 'Password' })).toHaveCount(0)
  await viewButton(page).click()
  await expect(page.getByRole('menuitem', { name: /Rename|Delete|Update/ })).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Open by default' }).click()
  await expect(page.getByText('The list opens with Gone from now on')).toBeVisible()
})

test('columns belong to the view, and the list has its own', async ({ page, origin }) => {
  const { main } = await withBranches(origin)
  await signIn(page, main, '/branches')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Branch code' }).click()
  await page.keyboard.press('Escape')
  await act(page, 'Save view…')
  await page.getByLabel('Name', { exact: true }).fill('Slim')
  await page.getByRole('button', { name: 'Save view' }).click()
  await expect(viewButton(page)).toHaveAccessibleName('View: Slim')
  const code = page.getByRole('columnheader', { name: 'Branch code' })
  await expect(code).toHaveCount(0)
  await chooseView(page, 'All')
  await expect(viewButton(page)).toHaveAccessibleName('View: All')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Branch code' }).click()
  await page.keyboard.press('Escape')
  await expect(code).toBeVisible()
  await chooseView(page, 'Slim')
  await expect(code).toHaveCount(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Branch code' }).click()
  await page.keyboard.press('Escape')
  await expect(viewButton(page)).toHaveAccessibleName('View: Slim, edited')
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect(code).toHaveCount(0)
})

testWithWorker(
  'without a connection views are opened from the device, and what changes them says before the tap that it needs one',
  async ({ page, origin, context }) => {
    const { main } = await withBranches(origin)
    await makeView(origin.database.db, main, {
      list: 'branch',
      name: 'Resting',
      state: { q: '', filter: { status: 'Inactive' }, sort: 'guid', dir: 'desc', size: 10, hidden: [] },
    })
    await signIn(page, main, '/branches')
    await readyOffline(page)
    await chooseView(page, /^Resting/)
    // The whole list shows the resting branch too: the view's own answer is there once the other branch is gone.
    await expect(page.getByRole('row', { name: /Kallang Wave/ })).toHaveCount(0)
    await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
    await context.setOffline(true)
    await page.goto('/branches')
    await chooseView(page, /^Resting/)
    await expect(page.getByRole('row', { name: /Closed Corner/ })).toBeVisible()
    await viewButton(page).click()
    const save = page.getByRole('menuitem', { name: /^Save view/ })
    await expect(save).toHaveAttribute('aria-disabled', 'true')
    await expect(save).toContainText('Needs a connection')
  },
)

test("menu and dialog of views are accessible and fit, with a thumb's size on a phone", async ({ page, origin }) => {
  const { main } = await withBranches(origin)
  await makeView(origin.database.db, main, { list: 'branch', name: 'Resting', shared: true })
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, main, '/branches')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  const box = await viewButton(page).boundingBox()
  expect(box!.height).toBeGreaterThanOrEqual(44)
  await viewButton(page).click()
  await expect(page.getByRole('menuitemradio', { name: /^Resting/ })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await expect(page.getByRole('dialog', { name: 'Save view' })).toBeVisible()
  await expectAccessibleAndFits(page, 'a view to save')
})
