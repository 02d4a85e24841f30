import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { chooseFromRowMenu, rowOf } from '../../support/branches/branchPage.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireOnline } from '../../support/connectivity/connectivity.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
} from '../../support/database/builders.ts'
import { changeRows, rowsOf } from '../../support/database/rows.ts'

/** Logs in as a main account at the POS users of a branch that has one, `till`. */
async function mainAtTills(page: Page, origin: PortalOrigin) {
  const merchant = await makeMerchant(origin.database.db)
  const till = await makePosUser(origin.database.db, merchant)
  await logIn(page, merchant.main, `/branches/${merchant.branch.id}/view?tab=pos`)
  await expect(rowOf(page, till.loginName)).toBeVisible()
  return { ...merchant, till }
}

const stored = async ({ database }: PortalOrigin, id: string) => (await rowsOf(database.db, 'app_user', { id }))[0]!

const password = (page: Page) => page.getByRole('dialog').getByLabel('New password', { exact: true })
const repeated = (page: Page) => page.getByRole('dialog').getByLabel('Repeat new password', { exact: true })

/** Logs in for the first time at the point of sale, with a password that another user has set. */
async function firstLogin(page: Page, origin: PortalOrigin, username: string, given: string) {
  const counter = await (await page.context().browser()!.newContext({ baseURL: origin.url })).newPage()
  await counter.goto('/login?as=pos')
  await counter.getByLabel('Username').fill(username)
  await counter.getByLabel('Password', { exact: true }).fill(given)
  await counter.getByRole('button', { name: 'Login', exact: true }).click()
  return counter
}

test('a POS user is created with a suggested password, and sets one of its own at its first login', async ({
  page,
  origin,
}) => {
  const { branch, till } = await mainAtTills(page, origin)
  const username = `${till.loginName}-new`
  await page.getByRole('button', { name: 'Create POS user' }).click()
  const dialog = page.getByRole('dialog', { name: `Create a POS user for ${branch.name}` })
  await dialog.getByRole('button', { name: 'Create POS user' }).click()
  await expect(dialog.getByText('Username is required.').first()).toBeVisible()
  await expect(dialog.getByLabel('Username')).toBeFocused()
  await dialog.getByLabel('Username').fill(till.loginName)
  await password(page).fill('short')
  await expect(dialog.getByText('12 characters or more, not met yet')).toBeVisible()
  await dialog.getByRole('button', { name: 'Suggest a password' }).click()
  const suggested = await dialog.getByLabel('Suggested password', { exact: true }).inputValue()
  await expect(password(page)).toHaveValue(suggested)
  await dialog.getByRole('button', { name: 'Create POS user' }).click()
  await expect(dialog.getByText('Username is taken.')).toBeVisible()
  await dialog.getByLabel('Username').fill(username)
  await dialog.getByRole('button', { name: 'Create POS user' }).click()
  await expect(page.getByText(`${username} created`)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(rowOf(page, username)).toContainText('Must change password')
  await expect(page.getByRole('tab', { name: 'POS users 2' })).toBeVisible()
  // The password was sent encrypted.
  const sent = origin.sent('POST', '/api/pos')
  expect(sent).toHaveLength(2)
  expect(JSON.stringify(sent)).not.toContain(suggested)

  const counter = await firstLogin(page, origin, username, suggested)
  await counter.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await counter.getByLabel('Repeat new password').fill(NEW_PASSWORD)
  await counter
    .getByRole('button', { name: /password/i })
    .last()
    .click()
  await expect(counter).toHaveURL('/redeem')
  await counter.context().close()
  await page.reload()
  await expect(rowOf(page, username)).toContainText('Set by the cashier')
  await expect(rowOf(page, username)).not.toContainText('Never')
})

test('a password that was used before is refused at its field; another takes its place and must be changed', async ({
  page,
  origin,
}) => {
  const { till } = await mainAtTills(page, origin)
  await chooseFromRowMenu(page, till.loginName, 'Change password')
  await password(page).fill(PASSWORD)
  await repeated(page).fill(PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('New password must not be one of the last 3 used.')).toBeVisible()
  await expect(password(page)).toBeFocused()
  await password(page).fill(NEW_PASSWORD)
  await repeated(page).fill(NEW_PASSWORD)
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(`Password of ${till.loginName} changed`)).toBeVisible()
  await expect(rowOf(page, till.loginName)).toContainText('Must change password')
  expect(await stored(origin, till.id)).toMatchObject({ mustChangePassword: true })
})

test('a reset shows the temporary password once, says so, and it works', async ({ page, context, origin }) => {
  const { till } = await mainAtTills(page, origin)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chooseFromRowMenu(page, till.loginName, 'Reset password')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset password' }).click()
  const dialog = page.getByRole('dialog', { name: `Temporary password of ${till.loginName}` })
  await expect(dialog).toContainText('It is not shown again.')
  await expectAccessibleAndFits(page, 'a temporary password')
  const temporary = await dialog.getByLabel('Temporary password', { exact: true }).inputValue()
  expect(temporary).toMatch(/^(\w{4}-){3}\w{4}$/)
  await dialog.getByRole('button', { name: 'Copy: Temporary password' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(temporary)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText(temporary)).toHaveCount(0)
  const counter = await firstLogin(page, origin, till.loginName, temporary)
  await expect(counter.getByLabel('New password', { exact: true })).toBeVisible()
  await counter.context().close()
})

test('a POS user is deactivated and out at once, and re-activated, which can be undone @short', async ({
  page,
  browser,
  origin,
}) => {
  const { till } = await mainAtTills(page, origin)
  const counter = await (await browser.newContext({ baseURL: origin.url })).newPage()
  await logIn(counter, till)
  await chooseFromRowMenu(page, till.loginName, 'Deactivate')
  await page.getByRole('button', { name: 'Deactivate POS user' }).click()
  await expect(page.getByText(`${till.loginName} deactivated`)).toBeVisible()
  await expect(rowOf(page, till.loginName)).toContainText('Inactive')
  await counter.reload()
  await expect(counter).toHaveURL(/\/login/)
  await counter.context().close()
  await chooseFromRowMenu(page, till.loginName, 'Re-activate')
  const reactivated = page.locator('[data-toast]').filter({ hasText: `${till.loginName} re-activated` })
  await expect(reactivated).toBeVisible()
  await expect(rowOf(page, till.loginName)).not.toContainText('Inactive')
  await reactivated.getByRole('button', { name: 'Undo' }).click()
  await expect(rowOf(page, till.loginName)).toContainText('Inactive')
})

test('one that has logged in says that it cannot be deleted', async ({ page, origin }) => {
  const { branch, organisation } = await mainAtTills(page, origin)
  const used = await makePosUser(origin.database.db, { branch, organisation }, { lastLoginAt: new Date() })
  await page.reload()
  await page.getByRole('button', { name: `Actions for ${used.loginName}` }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toContainText('It has logged in before')
})

test('a rename of a POS user that somebody else has renamed meanwhile is not saved over theirs', async ({
  page,
  origin,
}) => {
  const { till } = await mainAtTills(page, origin)
  await chooseFromRowMenu(page, till.loginName, 'Edit')
  const dialog = page.getByRole('dialog', { name: `Edit ${till.loginName}` })
  await dialog.getByLabel('Username').fill(`${till.loginName}-mine`)
  const theirs = { loginName: `${till.loginName}-theirs`, revision: till.revision + 1 }
  await changeRows(origin.database.db, 'app_user', { id: till.id }, theirs)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody else has changed this meanwhile.')
  await expect(dialog.getByLabel('Username')).toHaveValue(`${till.loginName}-mine`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowOf(page, theirs.loginName)).toBeVisible()
  expect(await stored(origin, till.id)).toMatchObject({ loginName: theirs.loginName })
})

test('the profile of a branch begins with its POS users, and other accounts have none there', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  for (let n = 1; n < 10; n += 1) await makePosUser(db, merchant)
  const till = await makePosUser(db, merchant)
  const login = await makeUser(db, 'Branch Merchant', merchant)
  await makePosUser(db, { ...merchant, branch: await makeBranch(db, merchant.organisation) })
  await logIn(page, login, '/profile')
  await expect(page.getByRole('tab', { name: 'POS users' })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, till.loginName)).toBeVisible()
  const table = page.getByRole('table', { name: 'POS users' })
  await expect(table.locator('tbody tr')).toHaveCount(10)
  await page.getByRole('searchbox', { name: 'Username' }).fill('nobody')
  await expect(page).toHaveURL('/profile?q=nobody')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await chooseFromRowMenu(page, till.loginName, 'Deactivate')
  await page.getByRole('button', { name: 'Deactivate POS user' }).click()
  await expect(page.getByText(`${till.loginName} deactivated`)).toBeVisible()
  // The list is loaded again, which can move the page and would close an open menu.
  await expect(rowOf(page, till.loginName)).toContainText('Inactive')
  await page.getByRole('tab', { name: 'Details' }).click()
  await expect(page).toHaveURL('/profile?tab=details')
  await expect(page.getByRole('heading', { level: 2, name: 'Security' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true')

  await logOutAndIn(page, merchant.main)
  await expect(page.getByRole('heading', { level: 2, name: 'Security' })).toBeVisible()
  await expect(page.getByRole('tab', { name: 'POS users' })).toHaveCount(0)
})

async function logOutAndIn(page: Page, user: Parameters<typeof logIn>[1]) {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL(/\/login/)
  await logIn(page, user, '/profile')
}

testWithWorker(
  'without a connection the POS users are readable with their age, and every act is refused before the tap',
  async ({ page, origin }) => {
    const { till } = await mainAtTills(page, origin)
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByText(/This list is as of .* today/)).toBeVisible()
    await page.getByRole('button', { name: `Actions for ${till.loginName}` }).click()
    for (const act of ['Edit', 'Change password', 'Reset password', 'Deactivate', 'Delete']) {
      await expect(page.getByRole('menuitem', { name: act })).toContainText('Needs a connection')
    }
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Create POS user' })).toHaveAttribute('aria-disabled', 'true')
  },
)

test('a menu that is open when the connection goes, or returns, says so at once', async ({ page, origin }) => {
  const { till } = await mainAtTills(page, origin)
  await page.getByRole('button', { name: `Actions for ${till.loginName}` }).click()
  const edit = page.getByRole('menuitem', { name: 'Edit' })
  await expect(edit).toHaveText('Edit')
  await expect(edit).toBeFocused()
  await origin.setConnection({ kind: 'refuse' })
  await fireOnline(page)
  await expect(edit).toHaveText('EditNeeds a connection')
  await expect(edit).toHaveAttribute('aria-disabled', 'true')
  await expect(edit).toBeFocused()
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(edit).toHaveText('Edit')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Username')).toHaveValue(till.loginName)
})
