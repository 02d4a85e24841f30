import type { Page } from '@playwright/test'
import { addMonths } from '../../../src/domain/months.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { logIn } from '../../support/accounts/logIn.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { connectionBanner } from '../../support/connectivity/connectivity.ts'
import { makeBranch, makePosUser, makeRedemption } from '../../support/database/builders.ts'
import {
  downloadButton,
  downloadRow,
  merchantWithRedemptions,
  openDownloads,
  openReport,
  openReportForOffline,
  REPORTS,
  saveFile,
} from '../../support/reports/reportPage.ts'

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })
const rows = (page: Page) => preview(page).getByRole('table', { name: 'First rows of the report' }).locator('tbody tr')

const reportTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name })

async function choose(page: Page, from: string, to: string) {
  await page.getByLabel('From').fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
}

test('a preview adds up what the file will hold, by day, and follows the filters @short', async ({ page, origin }) => {
  const days = Array.from({ length: 11 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`)
  const { main, organisation } = await merchantWithRedemptions(origin, days)
  const other = await makeBranch(origin.database.db, organisation)
  const till = await makePosUser(origin.database.db, { organisation, branch: other })
  await makeRedemption(origin.database.db, till, '2026-10-02', { denominationCents: 5_050 })
  await openReport(page, main, 'transaction')
  await choose(page, '2026-10-01', '2026-10-31')
  await expect(preview(page)).toContainText('12 vouchers · $160.50')
  await expect(preview(page)).toContainText('First 10 of 12 rows')
  await expect(rows(page)).toHaveCount(10)
  const asked = origin.requests.findIndex(({ path }) => path === '/reporting/report/preview')
  expect(origin.requests.slice(0, asked).findLast(({ path }) => path.startsWith('/api/account'))?.path).toBe(
    '/api/account/my_info',
  )

  await preview(page).getByRole('button', { name: 'Show table' }).click()
  const numbers = preview(page).getByRole('table', { name: /^Redeemed by/ })
  await expect(numbers.getByRole('row', { name: '2 Oct $60.50' })).toBeVisible()

  await page.getByLabel('Branch', { exact: true }).selectOption(other.name)
  await expect(preview(page)).toContainText('1 voucher · $50.50')
  await expect(rows(page)).toHaveCount(1)
})

test('a month and a day are previewed alike, and what is downloaded has their name', async ({ page, origin }) => {
  const { main, branch, till } = await merchantWithRedemptions(origin, ['2026-10-05', '2026-10-20'])
  await openReport(page, main, 'monthly')
  await page.getByLabel('From').selectOption('Sep 2026')
  await page.getByLabel('To', { exact: true }).selectOption('Oct 2026')
  await expect(rows(page)).toHaveText([`Oct 2026${branch.name}2 × $10.002$20.000`])
  await downloadButton(page).click()
  await reportTab(page, 'Daily Report').click()
  await page.getByLabel('Day').fill('2026-10-05')
  await expect(rows(page)).toHaveText([`${branch.name}${till.loginName}1 × $10.001$10.00`])
  await downloadButton(page).click()
  await openDownloads(page)
  await expect(downloadRow(page, 'Monthly Report, 2026-09 to 2026-10.csv')).toContainText(/Ready, /)
  await expect(downloadRow(page, 'Daily Report, 2026-10-05.csv')).toContainText(/Ready, /)
})

test('a branch that was chosen before the list of branches lies on the device is in the name of the file', async ({
  page,
  origin,
}) => {
  let asked = 0
  let isLost = true
  // The form asks first, then the preparation for offline does.
  await origin.setConnection({ kind: 'refuse' }, ({ path }) => path.endsWith('/branch_list') && ++asked > 1 && isLost)
  const { main, branch } = await merchantWithRedemptions(origin, ['2025-10-05', '2026-09-20'])
  await openReport(page, main, 'monthly')
  await page.getByLabel('From').selectOption('Oct 2025')
  await page.getByLabel('To', { exact: true }).selectOption('Sep 2026')
  await page.getByLabel('Branch', { exact: true }).selectOption(branch.name)
  await expect.poll(() => asked).toBeGreaterThan(1)
  isLost = false
  await downloadButton(page).click()
  await expect(page.getByText(`Monthly Report, 2025-10 to 2026-09, ${branch.name}.csv is ready.`)).toBeVisible()
})

test('last month for one branch is saved as XLSX in five clicks, by the name of the branch @short', async ({
  page,
  origin,
}) => {
  const month = addMonths(singaporeDay(new Date()).slice(0, 7), -1)
  const { main, branch } = await merchantWithRedemptions(origin, [`${month}-05`])
  await logIn(page, main, '/dashboard')
  const taps = await countTaps(page)
  await page.getByRole('link', { name: 'Monthly Report' }).click()
  const field = page.getByLabel('Branch', { exact: true })
  // A native select takes two clicks: one to open it and one to choose. Playwright makes only one of them.
  await field.click()
  await field.selectOption(branch.name)
  await downloadButton(page, 'XLSX').click()
  const { name } = await saveFile(page)
  expect(name).toBe(`Monthly Report, ${month}, ${branch.name}.xlsx`)
  expect(taps() + 1).toBeLessThanOrEqual(5)
  await expect(page.getByRole('button', { name: 'Save file' })).toBeHidden()
})

test('a period is chosen by its name or by its ends', async ({ page, origin }) => {
  const { main } = await merchantWithRedemptions(origin, [])
  await openReport(page, main, 'transaction')
  const common = page.getByRole('button', { name: 'Common periods' })
  await common.click()
  await expect(page.getByRole('menuitemradio', { name: 'This month' })).toBeChecked()
  await page.getByRole('menuitemradio', { name: 'Last month' }).click()
  await expect(page.getByLabel('From')).toHaveValue(/^\d{4}-\d\d-01$/)
  await page.getByLabel('From').fill('2026-01-01')
  await page.getByLabel('To', { exact: true }).fill('2026-01-31')
  await expect(preview(page).getByText('No voucher was redeemed')).toBeVisible()

  await reportTab(page, 'Monthly Report').click()
  await page.getByLabel('From').selectOption('Feb 2025')
  await page.getByLabel('To', { exact: true }).selectOption('Mar 2025')
  await expect(preview(page).getByText('No voucher was redeemed')).toBeVisible()
})

testWithWorker(
  'without a connection the preview that was seen stays, with its age; another one says what it needs',
  async ({ page, origin }) => {
    const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
    await openReportForOffline(page, main, 'transaction')
    await choose(page, '2026-10-01', '2026-10-31')
    await expect(preview(page)).toContainText('1 voucher · $10.00')
    await origin.setConnection({ kind: 'refuse' })
    await choose(page, '2026-09-01', '2026-09-30')
    await expect(preview(page)).toContainText('This preview has not been opened here before')
    await choose(page, '2026-10-01', '2026-10-31')
    await expect(preview(page)).toContainText(/This is as of \d\d:\d\d today\./)
    await expect(preview(page)).toContainText('1 voucher · $10.00')
    await origin.setConnection({ kind: 'up' })
    await connectionBanner(page).getByRole('button', { name: 'Try now' }).click()
    await expect(preview(page).getByText(/This is as of/)).toBeHidden()
  },
)

test('a preview that the server cannot make says so, changes nothing, and is asked for again on a word', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/status of 500/)
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  const body = { message: 'Something went wrong.', error: 'INTERNAL', data: {}, request_id: 'r-77' }
  let failing: 'bare' | 'told' | 'no' = 'bare'
  let asked = 0
  await page.route(`**${REPORTS.preview}`, (route) => {
    asked += 1
    if (failing === 'no') return route.continue()
    return route.fulfill(failing === 'told' ? { status: 500, json: body } : { status: 500 })
  })
  await logIn(page, main, '/reports/daily-report')
  // Tried again once, because the server answered with an error: after that the user has to retry.
  await expect.poll(() => asked).toBe(2)
  await expect(preview(page)).toContainText('This preview could not be loaded')
  await expect(page.getByRole('banner').getByText('Online')).toBeVisible()
  await expect(preview(page)).toContainText('Please try again. Nothing was changed.')
  failing = 'told'
  await preview(page).getByRole('button', { name: 'Try again' }).click()
  await expect(preview(page)).toContainText('Reference r-77.')
  await expect(downloadButton(page)).toBeEnabled()
  failing = 'no'
  await preview(page).getByRole('button', { name: 'Try again' }).click()
  await expect(preview(page)).toContainText('0 vouchers · $0.00')
})

test('a report is printed with its title, what it is of, the total and its rows, and nothing of the screen', async ({
  page,
  origin,
}) => {
  const { main, branch } = await merchantWithRedemptions(origin, ['2026-10-05', '2026-10-20'])
  await page.emulateMedia({ colorScheme: 'dark' })
  await openReport(page, main, 'transaction')
  await choose(page, '2026-10-01', '2026-10-31')
  await page.getByLabel('Branch').selectOption(branch.name)
  await expect(rows(page)).toHaveCount(2)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction Report' })).toBeVisible()
  const paper = page.getByRole('main')
  for (const fact of ['Period1–31 Oct 2026', `Branch${branch.name}`, 'POS userAll POS users', '2 vouchers · $20.00']) {
    await expect(paper).toContainText(fact)
  }
  await expect(rows(page).first()).toBeVisible()
  for (const part of [page.getByRole('banner'), page.getByRole('navigation').first(), page.getByLabel('From')]) {
    await expect(part).toBeHidden()
  }
  // Paper is white in every theme.
  const colour = await page.getByRole('heading', { level: 1 }).evaluate((h1) => getComputedStyle(h1).color)
  expect(colour).toBe('rgb(27, 33, 43)')
  expect((await page.pdf()).length).toBeGreaterThan(10_000)
})
