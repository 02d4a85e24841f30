import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { makeWholeBranch } from '../../support/branches/branchPage.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant, makePosUser, makeRedemption } from '../../support/database/builders.ts'

const REPORT = '/reporting/report/merchant/transaction_report'

async function merchantWithRedemption(origin: PortalOrigin) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  const { voucher } = await makeRedemption(db, till, '2026-10-05')
  return { ...merchant, till, voucher }
}

async function ask(page: Page, from = '2026-10-01', to = '2026-10-31') {
  await page.getByLabel('From').fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByRole('button', { name: 'Download CSV' }).click()
}

/** Presses Save and returns the file that the browser wrote. */
async function save(page: Page) {
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save file' }).click()
  const download = await downloading
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('a branch is not asked for its branch, and narrows the report to one of its POS users', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const { organisation } = await makeMerchant(db)
  const { branch, login } = await makeWholeBranch(db, organisation, { name: 'Bedok' })
  const till = await makePosUser(db, { organisation, branch })
  for (const day of ['2026-10-05', '2026-10-06']) await makeRedemption(db, till, day)
  await makeRedemption(db, await makePosUser(db, { organisation, branch }), '2026-10-06')
  await logIn(page, login, '/reports/transaction-report')
  const posUsers = page.getByLabel('POS user')
  await expect(posUsers).toBeEnabled()
  await expect(page.getByLabel('Branch')).toHaveCount(0)
  await page.getByLabel('From').fill('2026-10-01')
  await page.getByLabel('To', { exact: true }).fill('2026-10-31')
  await posUsers.selectOption({ label: till.loginName })
  await expect(page.getByRole('status').filter({ hasText: 'Preview: 2 vouchers' })).toBeAttached()
  // A single tab would offer a choice between one thing.
  await expect(page.getByRole('heading', { name: 'By day' })).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const { name, text } = await save(page)
  expect(name).toContain('Bedok')
  expect(text).toContain(till.loginName)
})

test('online the report is prepared at once and saved with a tap @short', async ({ page, origin }) => {
  const { main, voucher, till } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await ask(page)
  await expect(page.getByText('Transaction Report, 2026-10-01 to 2026-10-31.csv is ready.')).toBeVisible()
  const { name, text } = await save(page)
  expect(name).toBe('Transaction Report, 2026-10-01 to 2026-10-31.csv')
  expect(text).toContain(voucher.serial)
  expect(text).toContain(till.loginName)
  await expect(page.getByText('Transaction Report, 2026-10-01 to 2026-10-31.csv is ready.')).toBeHidden()
  await page.getByRole('link', { name: /^Downloads/ }).click()
  await expect(page.getByText(/^Save started /)).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No downloads')).toBeVisible()
})

test('the profile is called first, and every reporting call names its login type', async ({ page, origin }) => {
  const { main } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  await ask(page)
  await expect.poll(() => origin.sent('POST', REPORT).length).toBe(1)
  const [report] = origin.sent('POST', REPORT)
  expect(report!.headers['login-type']).toBe('MERCHANT')
  const before = origin.requests.slice(0, origin.requests.indexOf(report!))
  const lastCall = before.findLast(({ path }) => path.startsWith('/api/account'))
  expect(lastCall?.path).toBe('/api/account/my_info')
})

testWithWorker('offline 36: a double click queues one download', async ({ page, origin }) => {
  const { main } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  await readyOffline(page)
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('button', { name: 'Download CSV' }).dblclick()
  await page.getByRole('link', { name: /Downloads, 1 open/ }).click()
  await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(1)
})

test('offline 35: a range of more than two months is refused at the field, online and offline, and nothing is queued @short', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  for (const kind of ['up', 'refuse'] as const) {
    await origin.setConnection({ kind })
    await ask(page, '2026-08-01', '2026-10-02')
    await expect(page.getByText('Date range must not exceed 2 months.')).toBeVisible()
    await expect(page.getByLabel('To', { exact: true })).toBeFocused()
    await expect(page.getByLabel('From')).toHaveValue('2026-08-01')
  }
  await expect(page.getByRole('link', { name: 'Downloads', exact: true })).toBeVisible()
  expect(origin.sent('POST', REPORT)).toHaveLength(0)
})

test('the POS users of the chosen branch can be chosen, and only then', async ({ page, origin }) => {
  const { main, branch, till } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('POS user')).toBeDisabled()
  await page.getByLabel('Branch').selectOption(branch.name)
  await page.getByLabel('POS user').selectOption(till.loginName)
  await ask(page)
  await expect.poll(() => origin.sent('POST', REPORT).length).toBe(1)
  const [report] = origin.sent('POST', REPORT)
  expect(JSON.parse(report!.body)).toMatchObject({ branch_guid: branch.id, pos_guid: till.id })
  const title = `Transaction Report, 2026-10-01 to 2026-10-31, ${branch.name}, ${till.loginName}.csv`
  await expect(page.getByText(`${title} is ready.`)).toBeVisible()
})

test('a download that is cut off half way is never Ready; it is tried again', async ({ page, origin }) => {
  const { main } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  void origin.loseAnswer(({ path }) => path === REPORT, 1_000)
  await ask(page)
  await page.getByRole('button', { name: 'Go to downloads' }).click()
  await expect(page.getByText(/Next attempt at/)).toBeVisible()
  await origin.restore()
  // The next attempt starts by itself, perhaps before "Try now" could be pressed.
  await fireVisibilityChange(page)
  await expect(page.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 })
})

test('half a report that a proxy has ended like a whole one is said to be cut off, and tried again @short', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithRedemption(origin)
  await logIn(page, main, '/reports/transaction-report')
  await expect(page.getByLabel('Branch')).toBeVisible()
  const headers = { 'content-disposition': 'attachment; filename="half.csv"', 'content-type': 'text/csv' }
  await page.context().route(`**${REPORT}`, (route) => route.fulfill({ headers, body: 'Report,Transaction Rep' }))
  await ask(page)
  await page.getByRole('button', { name: 'Go to downloads' }).click()
  await expect(page.getByText(/The download was cut off\. Next attempt at/)).toBeVisible()
  await page.context().unroute(`**${REPORT}`)
  await fireVisibilityChange(page)
  await expect(page.getByText(/^Ready, /)).toBeVisible({ timeout: 30_000 })
})
