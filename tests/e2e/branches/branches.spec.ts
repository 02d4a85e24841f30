import { readFile } from 'node:fs/promises'
import { verify } from '@node-rs/argon2'
import type { Page } from '@playwright/test'
import { addDays, formatDayRange, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import {
  chooseFromRowMenu,
  fillBranch,
  makeWholeBranch,
  rowOf,
  skipFirstCashier,
} from '../../support/branches/branchPage.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeUser,
  type Branch,
  type Merchant,
} from '../../support/database/builders.ts'
import { changeRows, rowsOf } from '../../support/database/rows.ts'
import { expectDraftStored, ofUser, readStorage, storedRows } from '../../support/devices/storage.ts'

/** Logs in as a main account, at the list of its branches. */
async function mainAtBranches(page: Page, origin: PortalOrigin, type?: 'ADHOC Merchant'): Promise<Merchant> {
  const merchant = await makeMerchant(origin.database.db, type)
  await logIn(page, merchant.main, '/branches')
  await expect(page.getByRole('heading', { level: 1, name: 'Branches' })).toBeVisible()
  return merchant
}

/** Logs in as a main account, on the page of a branch with all its data. */
async function mainAtBranch(page: Page, origin: PortalOrigin, login?: 'Pending Activation') {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const whole = await makeWholeBranch(db, merchant.organisation, { name: 'Tampines Central' }, login)
  await logIn(page, merchant.main, `/branches/${whole.branch.id}/view`)
  await expect(page.getByRole('heading', { level: 1, name: 'Tampines Central' })).toBeVisible()
  return { ...merchant, ...whole }
}

const stored = async ({ database }: PortalOrigin, id: string) =>
  (await rowsOf<Branch>(database.db, 'branch', { id }))[0]!

test('a branch is created whole, its login invited by mail, and its page shows all but the PIN @short', async ({
  page,
  origin,
}) => {
  const { organisation } = await mainAtBranches(page, origin)
  await page.getByRole('link', { name: 'Create branch' }).click()
  await expect(page).toHaveURL('/branches/create')
  const { merchantId } = organisation
  await page.getByLabel('Set a PIN now').check()
  await expect(page.getByRole('textbox', { name: 'Branch PIN' })).toHaveValue(merchantId.slice(-3))
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByRole('alert')).toContainText('Financial contact: Name is required.')
  await expect(page.getByRole('heading', { name: /^Fix \d+ fields/ })).toBeFocused()

  const { email } = await fillBranch(page, {
    name: 'Tampines Central',
    code: 'tpc-01',
    pin: `${merchantId.slice(-3)}123`,
  })
  await expect(page.getByText('This PIN is easy to guess.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Branch PIN' }).fill('482913')
  await expect(page.getByText('This PIN is easy to guess.')).toHaveCount(0)
  await page.getByLabel('Use different hours from the organisation').check()
  await page.getByLabel('Monday', { exact: true }).check()
  await page.getByLabel('Monday opens').fill('9')
  await page.getByLabel('Monday closes').fill('2130')
  await page.getByRole('button', { name: 'Add a break on Monday' }).click()
  await page.getByLabel('Monday break begins').fill('3pm')
  await page.getByLabel('Monday break ends').fill('5pm')
  await page.getByLabel('Friday', { exact: true }).check()
  await page.getByLabel('Friday opens').fill('6pm')
  await page.getByLabel('Friday closes').fill('2am')
  await expect(page.getByRole('listitem').filter({ has: page.getByLabel('Friday opens') })).toContainText('next day')
  await page.getByLabel('Saturday', { exact: true }).check()
  await page.getByLabel('Saturday opens').fill('0')
  await page.getByLabel('Saturday closes').fill('24')
  await page.getByRole('button', { name: 'Create branch' }).click()

  await expect(page.getByText(`Tampines Central created. Activation email sent to ${email}`)).toBeVisible()
  await skipFirstCashier(page)
  await expect(page).toHaveURL(/\/branches\/[0-9a-f-]{36}\/view$/)
  await expect(page.getByText('Branch code TPC-01')).toBeVisible()
  await expect(page.getByText('Mon 09:00–15:00 and 17:00–21:30')).toBeVisible()
  await expect(page.getByText('Fri 18:00–02:00 (next day)')).toBeVisible()
  await expect(page.getByText('Sat 24 hours')).toBeVisible()
  await expect(page.getByText('Pending Activation', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Set on /)).toBeVisible()
  await expect(page.getByText('Weak')).toHaveCount(0)
  await expect(page.locator('main')).not.toContainText('482913')
  const [mail] = await mailsTo(origin.database.db, email)
  expect(mail?.kind).toBe('invitation')
  const [row] = await rowsOf<Branch>(origin.database.db, 'branch', { code: 'TPC-01' })
  expect(await verify(row!.pinHash!, '482913')).toBe(true)
})

test('a taken code and a taken email stand at their fields, and nothing typed is lost', async ({ page, origin }) => {
  const { organisation, main } = await mainAtBranches(page, origin)
  await makeBranch(origin.database.db, organisation, { code: 'TPC-01' })
  await page.goto('/branches/create')
  await fillBranch(page, { name: 'Tampines Central', code: 'TPC-01' })
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByText('Branch code is taken.')).toBeVisible()
  await expect(page.getByLabel('Branch code')).toBeFocused()
  await page.getByLabel('Branch code').fill('TPC-02')
  await page.getByLabel('Login email').fill(main.loginName)
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByText('This is your own login. The branch needs another email address, or none.')).toBeVisible()
  await expect(page.getByLabel('Branch name')).toHaveValue('Tampines Central')
})

test('the contact of the organisation is offered where it is known', async ({ page, origin }) => {
  const { organisation } = await mainAtBranches(page, origin)
  await page.goto('/branches/create')
  await expect(page.getByLabel('Branch name')).toBeVisible()
  await expect(page.getByRole('button', { name: "Use the organisation's contact" })).toHaveCount(0)
  const contact = { contactName: 'Tan Wei Ling', contactNumber: '+65 6555 0100', contactEmail: 'office@test.example' }
  await changeRows(origin.database.db, 'organisation', { id: organisation.id }, contact)
  await page.reload()
  await page.getByRole('button', { name: "Use the organisation's contact" }).click()
  const group = page.getByRole('group', { name: 'Financial contact' })
  await expect(group.getByLabel('Name')).toHaveValue('Tan Wei Ling')
  await expect(group.getByLabel('Email')).toHaveValue('office@test.example')
  await expect(group.getByLabel('Contact number')).toHaveValue('+65 6555 0100')
})

test('an adhoc branch has its days, in order, and says where they stand', async ({ page, origin }) => {
  await mainAtBranches(page, origin, 'ADHOC Merchant')
  await page.getByRole('navigation', { name: 'Lists of branches' }).getByRole('link', { name: 'Adhoc' }).click()
  await expect(page).toHaveURL('/branches/adhoc')
  await expect(page.getByText('No adhoc branch yet')).toBeVisible()
  await page.locator('[data-empty]').getByRole('link', { name: 'Create adhoc branch' }).click()
  await expect(page.getByLabel('Adhoc')).toBeChecked()
  const today = singaporeDay(origin.clock.now())
  await fillBranch(page, { name: 'Park Stall', code: 'PRK-1' })
  await page.getByLabel('First day').fill(today)
  await page.getByLabel('Last day').fill(addDays(today, -1))
  await page.getByRole('button', { name: 'Create branch' }).click()
  await expect(page.getByText('Last day must not be before the first day.')).toBeVisible()
  await page.getByLabel('Last day').fill(addDays(today, 3))
  await page.getByRole('button', { name: 'Create branch' }).click()
  await skipFirstCashier(page)
  await expect(page.getByRole('heading', { level: 1, name: 'Park Stall' })).toBeVisible()
  await expect(page.getByText(`${formatDayRange(today, addDays(today, 3))} · Open`).first()).toBeVisible()
  const id = /branches\/([^/]+)/.exec(page.url())![1]!
  for (const [from, to, words] of [
    [1, 2, 'Not open yet'],
    [-2, -1, 'Ended'],
  ] as const) {
    const days = { fromDay: addDays(today, from), toDay: addDays(today, to) }
    await changeRows(origin.database.db, 'branch', { id }, days)
    await page.goto('/branches/adhoc')
    await expect(rowOf(page, 'Park Stall')).toContainText(words)
  }
  await page.goto(`/branches/adhoc/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Park Stall' })).toBeVisible()
})

test('the lists search, filter and link to each other, and their state is the URL', async ({ page, origin }) => {
  const { db } = origin.database
  const { organisation } = await mainAtBranches(page, origin)
  const master = await makeUser(db, 'Additional Merchant', { organisation }, { name: 'East Region' })
  for (let n = 1; n < 7; n += 1) await makeBranch(db, organisation)
  await makeWholeBranch(db, organisation, { name: 'Bedok North', masterUserId: master.id })
  await makeWholeBranch(db, organisation, { name: 'Pasir Ris' }, 'Pending Activation')
  await makeWholeBranch(db, organisation, { name: 'Clementi', status: 'Inactive' })
  await page.reload()
  const rows = page.locator('tbody tr')
  await page.getByLabel('Login status').selectOption('Pending Activation')
  await expect(page).toHaveURL(/account_status.*Pending/)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Pasir Ris')
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Status', { exact: true }).selectOption('Inactive')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Clementi')
  await page.getByLabel('Status', { exact: true }).selectOption('All')
  await page.getByLabel('Managed by').selectOption('East Region')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Bedok North')
  await page.getByLabel('Managed by').selectOption('Main account')
  await expect(rows).toHaveCount(9)
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('searchbox', { name: 'Name, code or email' }).fill('clem')
  await expect(rows).toHaveCount(1)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('Clementi')
  expect(text).not.toContain('Bedok North')
  await page.getByRole('navigation', { name: 'Lists of branches' }).getByRole('link', { name: 'Master' }).click()
  await expect(page).toHaveURL('/branches/master')
  await expect(rows.filter({ hasText: 'East Region' })).toBeVisible()
  await expect(rows).toHaveCount(1)
})

test('a branch is deactivated after a question that names what follows: its people are out; re-activated it is open @short', async ({
  page,
  browser,
  origin,
}) => {
  const { branch, organisation } = await mainAtBranch(page, origin)
  const till = await makePosUser(origin.database.db, { organisation, branch })
  const counter = await (await browser.newContext({ baseURL: origin.url })).newPage()
  await logIn(counter, till)
  await expect(counter).toHaveURL('/redeem')
  await page.reload()
  // The device's copy of the branch is older than its POS user.
  await expect(page.getByRole('tab', { name: /POS users.*1/ })).toBeVisible()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Deactivate Tampines Central?' })
  await expect(dialog).toContainText('Its login and its POS user are logged out at once')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  expect(await stored(origin, branch.id)).toMatchObject({ status: 'Active' })
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await dialog.getByRole('button', { name: 'Deactivate branch' }).click()
  await expect(page.getByText('Tampines Central deactivated')).toBeVisible()
  await counter.reload()
  await expect(counter).toHaveURL(/\/login/)
  await counter.context().close()
  await expect(page.getByRole('button', { name: 'Reset password' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('button', { name: 'Re-activate' }).click()
  await expect(page.getByText('Tampines Central re-activated')).toBeVisible()
  expect(await stored(origin, branch.id)).toMatchObject({ status: 'Active' })
})

test('a link for a new password is mailed to an active login, the activation mail to one that is not yet', async ({
  page,
  origin,
}) => {
  const { login, organisation } = await mainAtBranch(page, origin)
  await page.getByRole('button', { name: 'Reset password' }).click()
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`Link sent to ${login.loginName}`)).toBeVisible()
  expect((await mailsTo(origin.database.db, login.loginName)).map(({ kind }) => kind)).toEqual(['reset'])

  const { login: invited } = await makeWholeBranch(
    origin.database.db,
    organisation,
    { name: 'Pasir Ris' },
    'Pending Activation',
  )
  await page.goto('/branches')
  await chooseFromRowMenu(page, 'Pasir Ris', 'Resend activation email')
  await expect(page.getByText(`Activation email sent to ${invited.loginName}`)).toBeVisible()
  await page.getByRole('button', { name: 'Actions for Pasir Ris' }).click()
  const resend = page.getByRole('menuitem', { name: 'Resend activation email' })
  await expect(resend).toContainText('Sent just now')
  await expect(resend).toHaveAttribute('aria-disabled', 'true')
})

test('a branch that is in use says so before the tap, and in the words of the spec after it; another is deleted', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { organisation, main } = await makeMerchant(db)
  const { branch: busy } = await makeWholeBranch(db, organisation, { name: 'Bedok North' })
  await makePosUser(db, { organisation, branch: busy })
  const { branch: idle } = await makeWholeBranch(db, organisation, { name: 'Clementi' })
  await logIn(page, main, '/branches')
  await page.getByRole('button', { name: 'Actions for Bedok North' }).click()
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toContainText('It has POS users')
  await page.keyboard.press('Escape')

  // The branch gets a POS user between the display and the tap.
  const till = await makePosUser(db, { organisation, branch: idle })
  await chooseFromRowMenu(page, 'Clementi', 'Delete')
  await page.getByRole('button', { name: 'Delete branch' }).click()
  const unable = page.getByRole('alertdialog', { name: 'Unable to Delete' })
  await expect(unable).toContainText('It has POS users.')
  await unable.getByRole('button', { name: 'Close' }).click()
  expect(await stored(origin, idle.id)).toBeDefined()

  await page.goto(`/branches/${idle.id}/view?tab=pos`)
  await chooseFromRowMenu(page, till.loginName, 'Delete')
  await page.getByRole('button', { name: 'Delete POS user' }).click()
  await expect(page.getByText(`${till.loginName} deleted`)).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete branch' }).click()
  await expect(page).toHaveURL('/branches')
  await expect(rowOf(page, 'Bedok North')).toBeVisible()
  await expect(rowOf(page, 'Clementi')).toHaveCount(0)
})

test('the PIN is set anew and never read; a weak one is flagged, before and after', async ({ page, origin }) => {
  const { branch, organisation } = await mainAtBranch(page, origin)
  await expect(page.getByText('Not set', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Set a new PIN' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a new PIN for Tampines Central' })
  const pin = dialog.getByRole('textbox', { name: 'New PIN' })
  await expect(pin).toHaveValue(organisation.merchantId.slice(-3))
  await dialog.getByRole('button', { name: 'Set PIN' }).click()
  await expect(dialog.getByText('New PIN must be exactly 6 digits.')).toBeVisible()
  await pin.fill('111111')
  await expect(dialog.getByText('This PIN is easy to guess.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByText('New PIN set for Tampines Central')).toBeVisible()
  await expect(page.getByText('Weak: easy to guess.')).toBeVisible()

  // The branch was saved elsewhere meanwhile: setting the PIN keeps that change.
  const changed = { name: 'Tampines West', revision: (await stored(origin, branch.id)).revision + 1 }
  await changeRows(origin.database.db, 'branch', { id: branch.id }, changed)
  await page.getByRole('button', { name: 'Set a new PIN' }).click()
  await pin.fill('583920')
  await dialog.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tampines West' })).toBeVisible()
  await expect(page.getByText('Weak')).toHaveCount(0)
  const row = await stored(origin, branch.id)
  expect(row).toMatchObject({ name: 'Tampines West' })
  expect(await verify(row.pinHash!, '583920')).toBe(true)
})

test('two who set a PIN at once: the second is told, and decides', async ({ page, origin }) => {
  const { branch } = await mainAtBranch(page, origin)
  await page.getByRole('button', { name: 'Set a new PIN' }).click()
  await page.getByRole('textbox', { name: 'New PIN' }).fill('583920')
  const theirs = { pinHash: 'theirs', pinSetAt: origin.clock.now(), revision: branch.revision + 1 }
  await changeRows(origin.database.db, 'branch', { id: branch.id }, theirs)
  await page.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByText('Somebody else has set a new PIN meanwhile.')).toBeVisible()
  expect(await stored(origin, branch.id)).toMatchObject({ pinHash: 'theirs' })
  await page.getByRole('button', { name: 'Set PIN' }).click()
  await expect(page.getByText('New PIN set for Tampines Central')).toBeVisible()
  expect(await verify((await stored(origin, branch.id)).pinHash!, '583920')).toBe(true)
})

test('a branch is edited; the email of an activated login stays', async ({ page, origin }) => {
  const { branch, organisation } = await mainAtBranch(page, origin)
  const master = await makeUser(origin.database.db, 'Additional Merchant', { organisation }, { name: 'East Region' })
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(page).toHaveURL(`/branches/${branch.id}/edit`)
  await expect(page.getByLabel('Login email')).toHaveAttribute('readonly')
  await page.getByLabel('Branch name').fill('Tampines East')
  await page.getByLabel('Managed by').selectOption('East Region')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Tampines East saved')).toBeVisible()
  await expect(page).toHaveURL(`/branches/${branch.id}/view`)
  await expect(page.getByRole('link', { name: 'East Region' })).toBeVisible()
  expect(await stored(origin, branch.id)).toMatchObject({ name: 'Tampines East', masterUserId: master.id })
})

test('what is typed for a new branch is kept, and the PIN is not', async ({ page, origin }) => {
  await mainAtBranches(page, origin)
  await page.goto('/branches/create')
  const { email } = await fillBranch(page, { name: 'Tampines Central', code: 'TPC-01', pin: '583920' })
  // The email is the last field of the draft: before it is stored, a pause in typing may have stored only the beginning.
  await expectDraftStored(page, 'branch/create', email)
  await page.reload()
  await expect(page.getByLabel('Branch name')).toHaveValue('Tampines Central')
  await expect(page.getByText('This is your draft of')).toBeVisible()
  await page.getByLabel('Set a PIN now').check()
  await expect(page.getByRole('textbox', { name: 'Branch PIN' })).not.toHaveValue('583920')
  const { indexedDB, localStorage } = await readStorage(page)
  const kept = JSON.stringify({ indexedDB, localStorage })
  expect(kept).toContain('TPC-01')
  expect(kept).not.toContain('583920')
})

testWithWorker(
  'without a connection lists and opened branches are readable with their age, and every act is refused before the tap @short',
  async ({ page, origin }) => {
    const { branch, organisation, main } = await mainAtBranch(page, origin)
    await makeUser(origin.database.db, 'Additional Merchant', { organisation }, { name: 'East Region' })
    await readyOffline(page)
    await page.goto(`/branches/${branch.id}/edit`)
    await expect(page.getByLabel('Branch name')).toHaveValue('Tampines Central')
    const master = page.getByLabel('Managed by').getByRole('option', { name: 'East Region' })
    await expect(master).toBeAttached()
    await page.goto('/branches')
    await expect(rowOf(page, 'Tampines Central')).toBeVisible()
    // The screen does not wait for the disk and may be faster.
    const kept = async () => (await storedRows(page, ofUser(main.id), 'reads')).map(({ key }) => key)
    await expect.poll(kept).toContainEqual(expect.stringMatching(/^branch\.datatable/))
    await origin.setConnection({ kind: 'refuse' })
    await page.goto('/branches')
    await expect(page.getByText(/This list is as of .* today/)).toBeVisible()
    await page.getByRole('button', { name: 'Actions for Tampines Central' }).click()
    for (const act of ['Edit', 'Deactivate', 'Reset password', 'Delete']) {
      await expect(page.getByRole('menuitem', { name: act })).toContainText('Needs a connection')
    }
    await expect(page.getByRole('button', { name: 'Create branch' })).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('menuitem', { name: 'View' }).click()
    // The panel of the tills' allowance is stored separately, and shows its own age.
    await expect(page.getByText(/This is as of .* today/).first()).toBeVisible()
    await expect(page.getByText('4 Tampines Central 5, #02-14')).toBeVisible()
    for (const act of ['Edit', 'Deactivate', 'Reset password', 'Set a new PIN']) {
      await expect(page.getByRole('button', { name: act })).toHaveAttribute('aria-disabled', 'true')
    }
    await page.goto(`/branches/${branch.id}/edit`)
    await expect(master).toBeAttached()
    await page.getByLabel('Branch name').fill('Tampines East')
    await expect(page.getByText('Saving needs a connection. Your draft is kept.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save changes' })).toHaveAttribute('aria-disabled', 'true')
    await expectDraftStored(page, `branch/${branch.id}`, 'Tampines East')
    await origin.setConnection({ kind: 'up' })
    await page.reload()
    await expect(page.getByLabel('Branch name')).toHaveValue('Tampines East')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(page.getByText('Tampines East saved')).toBeVisible()
  },
)

test('the keyboard alone opens a branch, its tabs and its question, and comes back to where it was', async ({
  page,
  origin,
}) => {
  await mainAtBranch(page, origin)
  await page.getByRole('tab', { name: 'Details' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/tab=pos/)
  await expect(page.getByRole('tab', { name: /POS users/ })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(page).not.toHaveURL(/tab=pos/)
  const deactivate = page.getByRole('button', { name: 'Deactivate' })
  await deactivate.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(deactivate).toBeFocused()
  await page.getByRole('button', { name: 'Set a new PIN' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+A')
  await page.keyboard.type('583920')
  await page.keyboard.press('Enter')
  await expect(page.getByText('New PIN set for Tampines Central')).toBeVisible()
})
