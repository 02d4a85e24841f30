import type { Page } from '@playwright/test'
import { LIMITS } from '../../../src/contract/limits.ts'
import { toCsv } from '../../../src/domain/csv.ts'
import { fillLogin, readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { tryToSignIn } from '../../support/api/portalClient.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeBranch, makeMerchant, makeUser, type Merchant } from '../../support/database/builders.ts'
import { expectDraftStored, OF_USER, storedRow } from '../../support/devices/storage.ts'
import { parseCsv } from '../../support/tables/parseCsv.ts'
import {
  BRANCH_TITLES,
  branchesOf,
  branchFile,
  branchLine,
  branchLines,
  cell,
  checkRows,
  chooseCsv,
  counts,
  freshEmails,
  grid,
  savedFile,
} from './importPage.ts'

test.beforeEach(freshEmails)

const IMPORT = '/api/branch/import'
const isImport = ({ path }: { path: string }) => path === IMPORT
const act = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function atImport(page: Page, origin: PortalOrigin, path = '/imports/branches'): Promise<Merchant> {
  const merchant = await makeMerchant(origin.database.db)
  await signIn(page, merchant.main, path)
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
  await expect(grid(page)).toContainText('2026-12-01')
  await expect(grid(page)).toContainText('2026-12-05')
})

testWithWorker(
  'a file is read and mended without a connection, checked by the server, imported, and what fails comes back as a file',
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
      branchLine(4, { 'Postal code': '5295', 'Branch name': '=SUM(A1)' }),
      branchLine(5, { 'Login email': 'nobody' }),
      branchLine(6),
    ]
    await chooseCsv(page, `\uFEFF${branchFile(lines).replaceAll('\r\n', '\n')}`)
    await expect(counts(page)).toHaveText('branches.csv: 2 ready, 4 to fix')
    await expect(cell(page, 0, 1)).toContainText('Also in row 2.')
    await expect(cell(page, 1, 1)).toContainText('Also in row 1.')
    await expect(cell(page, 3, 0)).toContainText('Looks like a formula. It is read as text.')
    await expect(act(page, 'Check 2 rows with the server')).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText('Needs a connection. You can go on fixing rows; they are kept here.')).toBeVisible()

    // With the keyboard alone: a letter opens the cell, Enter takes it and goes down, Escape leaves it.
    await cell(page, 1, 1).click()
    await page.keyboard.type('OTHER')
    await page.keyboard.press('Enter')
    await expect(counts(page)).toHaveText('branches.csv: 4 ready, 2 to fix')
    await expect(cell(page, 2, 1)).toBeFocused()
    await page.keyboard.press('F2')
    await page.keyboard.type('nothing')
    await page.keyboard.press('Escape')
    await expect(cell(page, 2, 1)).toHaveText('TAKEN-1')
    await page.keyboard.press('ArrowDown')
    for (let n = 0; n < 3; n++) await page.keyboard.press('ArrowRight')
    await page.keyboard.type('529510')
    await page.keyboard.press('Tab')
    await expect(counts(page)).toHaveText('branches.csv: 5 ready, 1 to fix')
    await expect(grid(page).getByRole('textbox', { name: 'Contact number, row 4' })).toBeFocused()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect(counts(page)).toHaveText('branches.csv: 4 ready, 2 to fix')
    await cell(page, 3, 4).dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('529510')
    await page.keyboard.press('Enter')
    await page.getByLabel('Only rows with errors').check()
    await expect(grid(page)).toHaveAttribute('aria-rowcount', '2')
    await page.getByLabel('Only rows with errors').uncheck()

    await context.setOffline(false)
    await expect(act(page, 'Check 5 rows with the server')).not.toHaveAttribute('aria-disabled')
    await checkRows(page)
    await expect(cell(page, 2, 1)).toContainText('Is taken.')
    await act(page, 'Import 4 branches').click()
    await expect(page.getByRole('heading', { name: '4 branches created' })).toBeVisible()
    await expect(counts(page)).toHaveText('branches.csv: 4 created, 2 to fix')
    expect(await branchesOf(origin, organisation)).toBe(before + 4)

    const failed = await savedFile(page, 'Save rows with errors')
    const rows = parseCsv(failed.replace(/^\uFEFF/, ''))
    expect(rows.map((row) => row.at(-1))).toEqual(['Error', 'Branch code is taken.', 'Invalid email.'])
    await expect(page.getByText('Fix the rows below to import them.')).toBeVisible()
    await act(page, 'Finish without the rest').click()
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await chooseCsv(page, failed)
    await expect(counts(page)).toHaveText('branches.csv: 1 ready, 1 to fix')
    await expect(page.getByText('is not used')).toHaveCount(0)
  },
)

test('an answer lost in the middle, a reload and a timeout create nothing twice and lose nothing @short', async ({
  page,
  origin,
}) => {
  const { organisation, main } = await atImport(page, origin)
  const before = await branchesOf(origin, organisation)
  await chooseCsv(page, branchFile([...branchLines(230), branchLine(231, { 'Branch PIN': '' })]))
  await expect(counts(page)).toHaveText('branches.csv: 230 ready, 1 to fix')
  await checkRows(page)
  // The browser itself asks again where a connection it had kept was cut.
  void origin.loseAnswer(isImport, 1_000)
  await act(page, 'Import 230 branches').click()
  await expect(page.getByRole('alert')).toContainText('The connection was lost. Nothing is created twice')
  await expect(counts(page)).toHaveText('branches.csv: 130 ready, 1 to fix, 100 sent, answer unknown')
  expect(await branchesOf(origin, organisation)).toBe(before + 100)
  await origin.restore()
  // What may exist already is not edited.
  await cell(page, 0, 0).dblclick()
  await expect(grid(page).getByRole('textbox')).toHaveCount(0)

  await page.reload()
  await expect(counts(page)).toHaveText('branches.csv: 130 ready, 1 to fix, 100 sent, answer unknown')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/imports/branches')
  await fillLogin(page, main)
  await expect(counts(page)).toHaveText('branches.csv: 130 ready, 1 to fix, 100 sent, answer unknown')
  await act(page, 'Continue').click()
  await expect(page.getByRole('heading', { name: '230 branches created' })).toBeVisible()
  await expect(counts(page)).toHaveText('branches.csv: 230 created, 1 to fix')
  expect(await branchesOf(origin, organisation)).toBe(before + 230)
  const bodies = origin.sent('POST', IMPORT).map(({ body }) => JSON.parse(body) as { import_id: string })
  expect(new Set(bodies.map(({ import_id }) => import_id)).size).toBe(1)
})

test('a stopped import goes on when asked, and a PIN leaves the device once its branch is created', async ({
  page,
  origin,
}) => {
  const { organisation } = await atImport(page, origin)
  const before = await branchesOf(origin, organisation)
  await chooseCsv(page, branchFile(branchLines(201)))
  await checkRows(page)
  await origin.line({ kind: 'slow', delayMs: 400 }, isImport)
  await act(page, 'Import 201 branches').click()
  await act(page, 'Stop').click()
  await expect(counts(page)).toHaveText('branches.csv: 100 created, 101 ready')
  expect(await branchesOf(origin, organisation)).toBe(before + 100)
  await origin.restore()
  await expectDraftStored(page, 'import/branches', '"stage":"created"')
  const draft = await storedRow(page, OF_USER, 'drafts', 'import/branches')
  const { rows } = draft!['values'] as { rows: { stage: string; cells: Record<string, string> }[] }
  const kept = rows.map(({ stage, cells }) => `${stage} ${cells['pin']}`)
  expect(kept.filter((row) => row === 'created ')).toHaveLength(100)
  expect(kept.filter((row) => row === 'open 482913')).toHaveLength(101)
  await act(page, 'Import 101 branches').click()
  await expect(page.getByRole('heading', { name: '201 branches created' })).toBeVisible()
  await act(page, 'Import another file').click()
  await expect(page.getByText('What the file needs')).toBeVisible()
})

test('whatever is not a file of branches gets one clear answer, and nothing is sent or kept', async ({
  page,
  origin,
}) => {
  await atImport(page, origin)
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
    await expect(grid(page)).toHaveCount(0)
  }
  await page.reload()
  await expect(page.getByText('What the file needs')).toBeVisible()
  expect(origin.requests.filter(({ path }) => path.startsWith('/api/') && path.includes('import'))).toEqual([])
})

test('five thousand rows open, scroll and are edited without a pause, with some of them in the page', async ({
  page,
  origin,
}) => {
  await atImport(page, origin)
  const rows = branchLines(LIMITS.importRows)
  rows[4_998] = branchLine(4_999, { 'Branch code': 'IMP-1' })
  await chooseCsv(page, branchFile(rows))
  await expect(counts(page)).toHaveText('branches.csv: 4,998 ready, 2 to fix')
  await cell(page, 0, 0).click()
  await page.keyboard.press('Control+End')
  await expect(grid(page).getByRole('button', { name: 'Remove row 5000' })).toBeFocused()
  expect(await grid(page).getByRole('row').count()).toBeLessThan(60)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(counts(page)).toHaveText('branches.csv: 4,999 ready')
  await expect(grid(page).getByRole('button', { name: 'Remove row 5000' })).toBeFocused()
  await page.keyboard.press('Control+Home')
  await expect(cell(page, 0, 0)).toBeFocused()
  // From the key to the next frame, with every row judged and drawn anew.
  const took = await page.evaluate(async () => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const input = document.querySelector<HTMLElement>('[data-place="0:0"]')!
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', bubbles: true }))
    const at = performance.now()
    await frame()
    await frame()
    return performance.now() - at
  })
  await expect(counts(page)).toHaveText('branches.csv: 4,998 ready, 1 to fix')
  expect(took).toBeLessThan(1_000)
})

test('POS users get temporary passwords that are saved once, and made anew where the page was closed before', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  await signIn(page, merchant.main, `/branches/${merchant.branch.id}/view?tab=pos`)
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL('/imports/pos-users')
  const names = [1, 2, 3].map((n) => `till-${merchant.organisation.merchantId}-${Date.now()}-${n}`)
  const lines = names.map((name) => `${name};${merchant.branch.code.toLowerCase()}`)
  await chooseCsv(page, ['user name;branch', ...lines, 'elsewhere;NO-SUCH'].join('\r\n'), 'tills.csv')
  await checkRows(page)
  await expect(cell(page, 3, 1)).toContainText('Is not the code of one of your branches')
  await act(page, 'Import 3 POS users').click()
  await expect(page.getByRole('heading', { name: 'Save the 3 temporary passwords now' })).toBeVisible()

  await page.reload()
  await act(page, 'Make new passwords').click()
  await expect(page.getByRole('heading', { name: 'Save the 3 temporary passwords now' })).toBeVisible()
  const sheet = parseCsv((await savedFile(page, 'Save passwords')).replace(/^\uFEFF/, ''))
  await expect(page.getByRole('heading', { name: 'Is the file in your downloads?' })).toBeVisible()
  expect(await savedFile(page, 'Save again')).toContain(names[0])
  await act(page, 'Yes, it is there').click()
  await expect(page.getByRole('heading', { name: 'Passwords saved' })).toBeVisible()
  expect(sheet[0]).toEqual(['Username', 'Branch code', 'Temporary password'])
  expect(sheet.slice(1).map(([name]) => name)).toEqual(names)
  const ask = (path: string, init?: RequestInit) => fetch(`${origin.url}${path}`, init)
  const first = await tryToSignIn(ask, { loginKind: 'pos', loginName: names[0]! }, sheet[1]![2])
  expect(first.data).toMatchObject({ challenge: 'NEW_PASSWORD' })
})

test('a branch imports its own tills from its profile, and whoever uses the tablet next sees nothing of it', async ({
  page,
  origin,
  context,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  await signIn(page, await makeUser(db, 'Branch Merchant', merchant), '/profile')
  await page.getByRole('link', { name: 'Import' }).click()
  await expect(page).toHaveURL('/imports/pos-users')
  await chooseCsv(page, `Username\nown-${Date.now()}\n`, 'own.csv')
  await expect(counts(page)).toHaveText('own.csv: 1 ready')
  await expectDraftStored(page, 'import/pos-users', 'own-')
  // One tab at a time works at it.
  const other = await context.newPage()
  await other.goto('/imports/pos-users')
  await expect(other.getByText('This import is open in another tab')).toBeVisible()
  await page.goto('/profile')
  await expect(counts(other)).toHaveText('own.csv: 1 ready')
  await other.close()
  await page.evaluate(() => localStorage.clear())
  await signIn(page, merchant.main, '/imports/pos-users')
  await expect(page.getByText('What the file needs')).toBeVisible()
  await expect(page.getByText('own.csv')).toHaveCount(0)
})

test('the import is accessible in both themes, and on a phone nothing is wider than the screen', async ({
  page,
  origin,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await atImport(page, origin)
  const look = async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectNoAxeViolations(page)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
  await look()
  await chooseCsv(page, branchFile([branchLine(1, { 'Branch code': '' }), branchLine(2, { Address: '=1' })]))
  await expect(counts(page)).toHaveText('branches.csv: 1 ready, 1 to fix')
  await page.getByRole('button', { name: '1, go to the error' }).click()
  await expect(cell(page, 0, 1)).toBeFocused()
  await expect(cell(page, 0, 1)).toBeInViewport()
  // A finger comes to a cell first, and opens it with the second press.
  await cell(page, 0, 1).click()
  await expect(grid(page).getByRole('textbox', { name: 'Branch code, row 1' })).toBeFocused()
  await look()
  // A cell of two lines that is opened and left is as it was.
  await cell(page, 0, 3).dblclick()
  await page.keyboard.press('Enter')
  await expectDraftStored(page, 'import/branches', String.raw`1 Tampines Central 5,\n#02-14`)
})
