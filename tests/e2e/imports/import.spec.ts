import type { Page } from '@playwright/test'
import { LIMITS } from '../../../src/contract/limits.ts'
import { toCsv } from '../../../src/domain/csv.ts'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeBranch, makeMerchant, makeUser, type Merchant } from '../../support/database/builders.ts'
import { parseCsv } from '../../support/tables/parseCsv.ts'
import {
  BRANCH_TITLES,
  branchesOf,
  branchFile,
  branchLine,
  branchLines,
  chooseCsv,
  counts,
  freshEmails,
  rowAt,
  savedFile,
  table,
} from './importPage.ts'

test.beforeEach(freshEmails)

const IMPORT = '/api/branch/import'
const isImport = ({ path }: { path: string }) => path === IMPORT
const act = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function atImport(page: Page, origin: PortalOrigin, path = '/imports/branches'): Promise<Merchant> {
  const merchant = await makeMerchant(origin.database.db)
  await logIn(page, merchant.main, path)
  await expect(page.getByText('What the file needs')).toBeVisible()
  return merchant
}

test('a day that may be either of two is asked about, and all days are read like the answer', async ({
  page,
  origin,
}) => {
  await atImport(page, origin)
  const titles = [...BRANCH_TITLES, 'First day', 'Last day']
  await chooseCsv(page, toCsv([titles, [...branchLine(1), '12/1/2026', '12/5/2026']]))
  const question = page.getByRole('alert')
  await expect(question).toContainText('The file says 12/1/2026.')
  await expect(act(page, '12 January 2026')).toBeVisible()
  await act(page, '1 December 2026').click()
  await expect(counts(page)).toHaveText('branches.csv: 1 ready')
  await expect(page.getByText('Days are read with the month first')).toBeVisible()
  await act(page, 'Import 1 branch').click()
  await expect(page.getByRole('heading', { name: '1 branch created' })).toBeVisible()
  const [sent] = origin.sent('POST', IMPORT).map(({ body }) => body)
  expect(sent).toContain('"from_day":"2026-12-01","to_day":"2026-12-05"')
})

testWithWorker(
  'a file is read without a connection, checked by the server, imported, and what fails comes back as a file',
  async ({ page, origin, context }) => {
    const { organisation } = await atImport(page, origin)
    await makeBranch(origin.database.db, organisation, { code: 'TAKEN-1' })
    const before = await branchesOf(origin, organisation)
    await readyOffline(page)
    await context.setOffline(true)
    expect(await savedFile(page, 'Download template')).toContain('Branch name,Branch code,Login email')
    const lines = [
      branchLine(1, { 'Branch code': 'SAME' }),
      branchLine(2, { 'Branch code': 'same' }),
      branchLine(3, { 'Branch code': 'TAKEN-1' }),
      branchLine(4, { 'Branch name': '=SUM(A1)' }),
      branchLine(5, { 'Login email': 'nobody' }),
      branchLine(6),
    ]
    await chooseCsv(page, `\uFEFF${branchFile(lines).replaceAll('\r\n', '\n')}`)
    await expect(counts(page)).toHaveText('branches.csv: 3 ready, 3 to fix')
    await expect(rowAt(page, 2)).toContainText('Branch code: Also in row 3.')
    await expect(rowAt(page, 3)).toContainText('Branch code: Also in row 2.')
    await expect(rowAt(page, 5)).toContainText('Branch name: Looks like a formula. It is read as text.')
    await expect(rowAt(page, 6)).toContainText('Login email: Invalid email.')
    await expect(act(page, 'Import 3 branches')).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText('Needs a connection.')).toBeVisible()

    await context.setOffline(false)
    await expect(rowAt(page, 4)).toContainText('Branch code is taken.')
    await expectAccessibleAndFits(page)
    await act(page, 'Import 2 branches').click()
    await expect(page.getByRole('heading', { name: '2 branches created' })).toBeVisible()
    await expect(counts(page)).toHaveText('branches.csv: 2 created, 4 to fix')
    expect(await branchesOf(origin, organisation)).toBe(before + 2)

    const failed = (await savedFile(page, 'Save rows with errors')).replace(/^\uFEFF/, '')
    const rows = parseCsv(failed)
    expect(rows.map((row) => row.at(-1))).toEqual([
      'Error',
      'Branch code: Also in row 3.',
      'Branch code: Also in row 2.',
      'Branch code is taken.',
      'Login email: Invalid email.',
    ])
    // The user has corrected the rows in a spreadsheet: the column of reasons may stay.
    const mended = rows.slice(1).map((row, index) => row.with(1, `MENDED-${index}`).with(2, branchLine(10 + index)[2]!))
    await act(page, 'Choose another file').click()
    await chooseCsv(page, toCsv([rows[0]!, ...mended]))
    await expect(page.getByText('is not used')).toHaveCount(0)
    await act(page, 'Import 4 branches').click()
    await expect(page.getByRole('heading', { name: '4 branches created' })).toBeVisible()
    expect(await branchesOf(origin, organisation)).toBe(before + 6)
  },
)

test('an answer lost in the middle, a reload and a timeout create nothing twice and lose nothing @short', async ({
  page,
  origin,
}) => {
  const { organisation } = await atImport(page, origin)
  const before = await branchesOf(origin, organisation)
  const file = branchFile([...branchLines(110), branchLine(111, { 'Branch PIN': '' })])
  await chooseCsv(page, file)
  await expect(act(page, 'Import 110 branches')).toBeVisible()
  // Repeated, because the browser itself sends again after a kept-alive connection was cut.
  void origin.loseAnswer(isImport, 1_000)
  await act(page, 'Import 110 branches').click()
  // The page gives up after 30 seconds at the latest.
  const lost = 'The connection was lost. Nothing is created twice'
  await expect(page.getByRole('alert')).toContainText(lost, { timeout: 35_000 })
  await expect(counts(page)).toHaveText('branches.csv: 110 ready, 1 to fix')
  expect(await branchesOf(origin, organisation)).toBe(before + 50)
  await origin.restore()
  await act(page, 'Import 110 branches').click()
  await act(page, 'Stop').click()
  await expect(act(page, 'Choose another file')).toBeVisible()
  const created = (await branchesOf(origin, organisation)) - before
  expect(created).toBeLessThan(110)
  const more = created > 50 ? `${created - 50} created, ` : ''
  await expect(counts(page)).toHaveText(`branches.csv: ${more}50 there already, ${110 - created} ready, 1 to fix`)

  // After the reload the page has forgotten the import, and continues with the same file.
  await page.reload()
  await chooseCsv(page, file)
  await expect(counts(page)).toHaveText(`branches.csv: ${created} there already, ${110 - created} ready, 1 to fix`)
  await act(page, `Import ${110 - created} branches`).click()
  // Each branch is hashed, invited and logged as if made by the form.
  await expect(page.getByRole('heading', { name: `${110 - created} branches created` })).toBeVisible({
    timeout: 40_000,
  })
  expect(await branchesOf(origin, organisation)).toBe(before + 110)
})

test('whatever is not a file of branches gets one clear answer, and nothing is sent or kept', async ({
  page,
  origin,
}) => {
  await atImport(page, origin)
  // Pickers of Android and Windows grey out what these do not name.
  const androidAndWindows = /text\/comma-separated-values.*application\/csv.*application\/vnd\.ms-excel/
  await expect(page.locator('input[type=file]')).toHaveAttribute('accept', androidAndWindows)
  const refusals: [string | Uint8Array, string][] = [
    [new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0, 0]), 'This is an Excel file. Save it as CSV'],
    [new Uint8Array([1, 2, 0, 3]), 'This is not a text file. Choose a CSV file.'],
    ['', 'branches.csv is empty.'],
    ['Colour;Size\nred;1', 'names none of the columns'],
    ['Branch name,Branch code\nA,B', 'The file has no columns Login email, Address, Postal code'],
    [branchFile(branchLines(LIMITS.importRows + 1)), 'The file has 5,001 rows.'],
    [new Uint8Array(6_000_000).fill(65), 'A file may have at most 5 MB.'],
    [`${branchFile([])}"open`, 'has a quotation mark that is not closed'],
  ]
  for (const [content, words] of refusals) {
    await chooseCsv(page, content)
    await expect(page.getByRole('alert')).toContainText(words)
    await expect(counts(page)).toHaveCount(0)
  }
  await page.reload()
  await expect(page.getByText('What the file needs')).toBeVisible()
  expect(origin.requests.filter(({ path }) => path.startsWith('/api/') && path.includes('import'))).toEqual([])
})

test('five thousand rows open at once, with some of them in the page', async ({ page, origin, context }) => {
  await atImport(page, origin)
  await context.setOffline(true)
  const rows = branchLines(LIMITS.importRows).map((line) => line.with(4, '1'))
  await chooseCsv(page, branchFile(rows))
  await expect(counts(page)).toHaveText('branches.csv: 5,000 to fix')
  expect(await table(page).getByRole('row').count()).toBeLessThan(60)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(rowAt(page, 52)).toContainText('Postal code must be exactly 6 digits.')
})

test('POS users get temporary passwords, which the same file shows again to who imported it', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  await logIn(page, merchant.main, `/branches/${merchant.branch.id}/view?tab=pos`)
  await page.getByRole('button', { name: 'Create POS user' }).click()
  await page.getByRole('link', { name: 'Import several from a file' }).click()
  await expect(page).toHaveURL('/imports/pos-users')
  const names = [1, 2, 3].map((n) => `till-${merchant.organisation.merchantId}-${Date.now()}-${n}`)
  const lines = names.map((name) => `${name};${merchant.branch.code.toLowerCase()}`)
  const file = ['user name;branch', ...lines, 'elsewhere;NO-SUCH'].join('\r\n')
  await chooseCsv(page, file, 'tills.csv')
  await expect(rowAt(page, 5)).toContainText('Branch code is not the code of one of your branches.')
  await act(page, 'Import 3 POS users').click()
  await expect(page.getByRole('heading', { name: 'Save the 3 temporary passwords now' })).toBeVisible()
  const sheetOf = async (button: string) => parseCsv((await savedFile(page, button)).replace(/^\uFEFF/, ''))
  const sheet = await sheetOf('Save passwords')
  // No page learns if the browser wrote the file, and nothing else has these passwords.
  await expect(page.getByRole('heading', { name: 'Is the file with the passwords in Downloads?' })).toBeVisible()
  await act(page, 'Yes, I have it').click()
  await expect(page.getByRole('heading', { name: 'Passwords saved' })).toBeVisible()
  expect(sheet[0]).toEqual(['Username', 'Branch code', 'Temporary password'])
  expect(sheet.slice(1).map(([name]) => name)).toEqual(names)
  const ask = (path: string, init?: RequestInit) => fetch(`${origin.url}${path}`, init)
  const first = await tryToLogIn(ask, { loginKind: 'pos', loginName: names[0]! }, sheet[1]![2])
  expect(first.data).toMatchObject({ challenge: 'NEW_PASSWORD' })

  await page.reload()
  await chooseCsv(page, file, 'tills.csv')
  await expect(counts(page)).toHaveText('tills.csv: 3 there already, 1 to fix')
  await act(page, 'Show their passwords').click()
  expect(await sheetOf('Save passwords')).toEqual(sheet)
})

test('a branch imports its own tills from its profile, and whoever uses the tablet next sees nothing of it', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await logIn(page, await makeUser(db, 'Branch Merchant', merchant), '/profile')
  await page.getByRole('button', { name: 'Create POS user' }).click()
  await page.getByRole('link', { name: 'Import several from a file' }).click()
  await expect(page).toHaveURL('/imports/pos-users')
  await chooseCsv(page, `Username\nown-${Date.now()}\n`, 'own.csv')
  await expect(counts(page)).toHaveText('own.csv: 1 ready')
  await page.evaluate(() => localStorage.clear())
  await logIn(page, merchant.main, '/imports/pos-users')
  await expect(page.getByText('What the file needs')).toBeVisible()
  await expect(page.getByText('own.csv')).toHaveCount(0)
})
