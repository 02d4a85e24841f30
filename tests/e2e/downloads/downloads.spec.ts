import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { fillLogin, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test, testOnDisk } from '../../support/browser/fixtures.ts'
import { fireOnline } from '../../support/connectivity/connectivity.ts'
import { expectDevicePill, followBadge } from '../../support/devices/devicePage.ts'
import {
  askForDays,
  downloadButton,
  downloadRow,
  merchantWithRedemptions,
  openDownloads,
  openReportForOffline,
  REPORTS,
  saveFile,
} from '../../support/reports/reportPage.ts'
import { parseSentCsv } from '../../support/tables/parseCsv.ts'

const WAITING = 'Waiting for connection. Starts automatically.'

const failure = (error: string, message: string) => ({
  contentType: 'application/json',
  body: JSON.stringify({ message, error, data: {}, request_id: 'r-1' }),
})

async function logout(page: Page) {
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

testOnDisk(
  'offline 34: a monthly report that was asked for without a connection outlives the browser, and comes when the connection does @short',
  async ({ origin, openBrowser }) => {
    const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
    const before = await openBrowser()
    const page = await before.newPage()
    await openReportForOffline(page, main, 'monthly')
    await page.getByLabel('From').selectOption('Oct 2026')
    await page.getByLabel('To', { exact: true }).selectOption('Oct 2026')
    await origin.setConnection({ kind: 'refuse' })
    await downloadButton(page).click()
    await openDownloads(page)
    await expect(downloadRow(page, 'Monthly Report, 2026-10.csv')).toContainText(WAITING)
    await before.close()

    const after = await openBrowser()
    const again = await after.newPage()
    await again.goto('/downloads')
    await expect(downloadRow(again, 'Monthly Report, 2026-10.csv')).toContainText(WAITING)
    await origin.setConnection({ kind: 'up' })
    await fireOnline(again)
    await expect(again.getByText(/^Ready, /)).toBeVisible()
    expect(origin.sent('POST', REPORTS.monthly)).toHaveLength(1)
  },
)

test('offline 37: two tabs send a report once, and Save gives the very bytes and the name that the server sent @short', async ({
  page,
  context,
  origin,
}) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'daily')
  const second = await context.newPage()
  await second.goto('/downloads')
  await expect(second.getByText('No downloads')).toBeVisible()
  await page.getByLabel('Day').fill('2026-10-05')
  const sent = randomBytes(200_000)
  const name = 'attachment; filename="report.xlsx"; filename*=UTF-8\'\'Daily%20Report%2C%202026-10-05.xlsx'
  const type = 'application/vnd.ms-excel'
  const headers = { 'content-disposition': name, 'content-type': type, 'x-file-size': String(sent.length) }
  let asked = 0
  // Either tab may send the request.
  await context.route(`**${REPORTS.daily}`, (route) => {
    asked += 1
    return route.fulfill({ body: sent, headers })
  })
  await downloadButton(page, 'XLSX').click()
  const line = downloadRow(second, 'Daily Report, 2026-10-05.xlsx')
  await expect(line).toContainText(/Ready, \d+ KB, as of .* Kept until \d+ \w{3} 2026\./)
  const saved = await saveFile(second, line)
  expect(saved.name).toBe('Daily Report, 2026-10-05.xlsx')
  expect(saved.bytes.equals(sent)).toBe(true)
  expect(asked).toBe(1)
  await openDownloads(page)
  await expect(downloadRow(page, 'Daily Report')).toContainText(/Save started \d/)
  // The browser may have refused it without a word: the same file can be had again, without the server.
  const again = page.waitForEvent('download')
  await downloadRow(page, 'Daily Report').getByRole('button', { name: 'Save again' }).click()
  expect((await again).suggestedFilename()).toBe(saved.name)
  expect(asked).toBe(1)
})

test('offline 40 and 41: a server that stumbles is asked again by itself; what it refuses says why and holds up nothing', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(/status of 500/)
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  const refusal = { status: 422, ...failure('VALIDATION_FAILED', 'That branch is not yours any more.') }
  const stumble = { status: 500, ...failure('INTERNAL', 'Something went wrong.') }
  const answers = { '2026-10-15': [refusal], '2026-10-31': [stumble, stumble] }
  await page.route(`**${REPORTS.transaction}`, (route) => {
    const { to } = route.request().postDataJSON() as { to: keyof typeof answers }
    const answer = answers[to].shift()
    return answer ? route.fulfill(answer) : route.continue()
  })
  await origin.setConnection({ kind: 'refuse' })
  await askForDays(page, '2026-10-01', '2026-10-15')
  await askForDays(page, '2026-10-01', '2026-10-31')
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await openDownloads(page)
  const refused = downloadRow(page, '2026-10-01 to 2026-10-15')
  await expect(refused).toContainText(/Failed .*at \d\d:\d\d\. That branch is not yours any more\./)
  await expect(downloadRow(page, '2026-10-01 to 2026-10-31')).toContainText(/Ready, /, { timeout: 30_000 })
  expect(answers).toEqual({ '2026-10-15': [], '2026-10-31': [] })
  // The cause of the refusal has been fixed meanwhile.
  await refused.getByRole('button', { name: 'Retry' }).click()
  await expect(refused).toContainText(/Ready, /)
})

test('offline 42: a server that names a time is not asked before it', async ({ page, origin }) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  const askedAt: number[] = []
  await page.route(`**${REPORTS.transaction}`, (route) => {
    askedAt.push(Date.now())
    const busy = failure('TOO_MANY_REPORTS', 'Two reports are under way.')
    return askedAt.length === 1
      ? route.fulfill({ status: 429, ...busy, headers: { 'retry-after': '7' } })
      : route.continue()
  })
  await askForDays(page, '2026-10-01', '2026-10-31')
  await openDownloads(page)
  const line = downloadRow(page, '2026-10-01 to 2026-10-31')
  await expect(line).toContainText('Two reports are under way.')
  // The return of the connection wakes the queue, but the download still waits.
  await fireOnline(page)
  await expect(line).toContainText(/Ready, /, { timeout: 30_000 })
  expect(askedAt).toHaveLength(2)
  expect(askedAt[1]! - askedAt[0]!).toBeGreaterThanOrEqual(7_000)
})

test('offline 44 and 46: another login takes the session, the queue stays for its owner, and nobody else sees it @short', async ({
  page,
  browser,
  origin,
}) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  const { main: colleague } = await merchantWithRedemptions(origin, [])
  await openReportForOffline(page, main, 'transaction')
  // Only this device has no connection.
  await origin.setConnection({ kind: 'unavailable' }, ({ headers }) => headers['user-agent'] !== 'other')
  await askForDays(page, '2026-10-01', '2026-10-15')
  await askForDays(page, '2026-10-01', '2026-10-31')
  await openDownloads(page)
  await expect(page.getByText(WAITING)).toHaveCount(2)
  const elsewhere = await browser.newContext({ baseURL: origin.url, userAgent: 'other' })
  await logIn(await elsewhere.newPage(), main)
  await elsewhere.close()
  await origin.setConnection({ kind: 'up' })
  await fireOnline(page)
  await expect(page).toHaveURL(/\/login\?multiLogin=1/)
  await expect(page.getByText('Log in to finish 2 downloads.')).toBeVisible()
  expect(origin.sent('POST', REPORTS.transaction)).toHaveLength(0)

  await fillLogin(page, colleague)
  await expect(page.getByText('Log in to finish 2 downloads.')).toBeHidden()
  await openDownloads(page)
  await expect(page.getByText('No downloads')).toBeVisible()
  await logout(page)
  await expect(page).toHaveURL(/\/login/)
  await page.reload()
  await expect(page.getByText('Log in to finish 2 downloads.')).toBeVisible()

  await fillLogin(page, main)
  await openDownloads(page)
  await expect(page.getByText(/^Ready, /)).toHaveCount(2)
  expect(origin.sent('POST', REPORTS.transaction)).toHaveLength(2)
})

test('offline 47: a logout counts what waits and what failed, and the badge of the app counts with it', async ({
  page,
  origin,
}) => {
  const badge = await followBadge(page)
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await page.route(`**${REPORTS.transaction}`, (route) =>
    route.fulfill({ status: 422, ...failure('NOT_FOUND', 'Gone.') }),
  )
  await askForDays(page, '2026-10-01', '2026-10-15')
  await expect(page.getByRole('link', { name: 'Downloads, 1 open' })).toBeVisible()
  await openDownloads(page)
  await expect(page.getByText(/Failed at/)).toBeVisible()
  await page.goBack()
  await origin.setConnection({ kind: 'refuse' })
  await askForDays(page, '2026-10-01', '2026-10-30')
  await askForDays(page, '2026-10-01', '2026-10-31')
  await expect(page.getByRole('link', { name: 'Downloads, 3 open' })).toBeVisible()
  await expect.poll(badge).toBe(3)
  await logout(page)
  await expect(page.getByRole('alertdialog')).toContainText('Discard 3 downloads?')
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('link', { name: 'Downloads, 3 open' })).toBeVisible()
  await logout(page)
  await page.getByRole('button', { name: 'Discard and log out' }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(badge).toBe(0)
})

test('offline 58: a browser that stores nothing downloads at once, and says that it keeps nothing', async ({
  page,
  origin,
}) => {
  await page.addInitScript(() => {
    indexedDB.open = () => {
      throw new DOMException('refused', 'SecurityError')
    }
  })
  const { main, vouchers } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await logIn(page, main, '/reports/transaction-report')
  const notice = page.getByRole('alert').getByRole('heading', { name: 'This browser stores nothing on this device' })
  await expect(notice).toBeVisible()
  await expectDevicePill(page, 'Nothing is stored')
  const downloading = page.waitForEvent('download')
  await askForDays(page, '2026-10-01', '2026-10-31')
  const download = await downloading
  expect(download.suggestedFilename()).toBe('Transaction Report, 2026-10-01 to 2026-10-31.csv')
  expect(vouchers).toHaveLength(1)
  await page.getByRole('link', { name: 'Downloads' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
  await expect(notice).toBeVisible()
})

test('offline 60 and 63: an installed iOS app hands over by the share sheet, and a refused one leaves the file Ready', async ({
  page,
  origin,
}) => {
  await page.addInitScript(() => {
    const shared: string[] = []
    class Notification {
      static readonly permission = 'denied'
      constructor() {
        throw new TypeError('Illegal constructor')
      }
    }
    Object.assign(window, { shared, Notification })
    Object.assign(navigator, { standalone: true, canShare: () => true })
    navigator.share = async (data) => {
      shared.push(data?.files?.[0]?.name ?? 'nothing')
      if (shared.length === 1) throw new DOMException('no gesture', 'NotAllowedError')
    }
  })
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await askForDays(page, '2026-10-01', '2026-10-31')
  await expect(page.getByText('Transaction Report, 2026-10-01 to 2026-10-31.csv is ready.')).toBeVisible()
  await openDownloads(page)
  const tap = () => page.getByRole('button', { name: 'Save file' }).click()
  await tap()
  await expect(page.getByText('The file was not saved. Tap Save file again.')).toBeVisible()
  await expect(page.getByText(/^Ready, /)).toBeVisible()
  await tap()
  await expect(page.getByText(/^Save started /)).toBeVisible()
  const name = 'Transaction Report, 2026-10-01 to 2026-10-31.csv'
  expect(await page.evaluate(() => (window as never as { shared: string[] }).shared)).toEqual([name, name])
})

test('offline 61: a slow answer and a slow body are waited for with what there is to see, and can be cancelled', async ({
  page,
  origin,
}) => {
  const days = Array.from({ length: 60 }, (_, index) => `2026-10-${String((index % 30) + 1).padStart(2, '0')}`)
  const { main } = await merchantWithRedemptions(origin, days)
  await openReportForOffline(page, main, 'transaction')
  // Longer than the time limit of an ordinary call.
  await origin.setConnection(
    { kind: 'slow', delayMs: 11_000, bytesPerSecond: 1_500 },
    ({ path }) => path === REPORTS.transaction,
  )
  await askForDays(page, '2026-10-01', '2026-10-31')
  await askForDays(page, '2026-10-01', '2026-10-30')
  await openDownloads(page)
  await expect(downloadRow(page, '2026-10-01 to 2026-10-31')).toContainText('Preparing')
  const cancelled = downloadRow(page, '2026-10-01 to 2026-10-30')
  await expect(cancelled).toContainText('Waiting for its turn, place 2')
  await cancelled.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Discard download' }).click()
  await expect(cancelled).toBeHidden()
  await expect(page.getByText(/^Downloading, \d/)).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText(/^Ready, /)).toBeVisible({ timeout: 20_000 })
  const rows = parseSentCsv((await saveFile(page)).bytes.toString('utf8'))
  expect(rows.filter(([, , , denomination]) => denomination === '10.00')).toHaveLength(60)
})

test('offline 75 and 76: a queue that waited in a hidden tab goes out within five seconds of being seen again', async ({
  page,
  context,
  origin,
}) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await origin.setConnection({ kind: 'unavailable' })
  await askForDays(page, '2026-10-01', '2026-10-31')
  await openDownloads(page)
  await expect(page.getByText(WAITING)).toBeVisible()
  const seen = (state: 'hidden' | 'visible') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await seen('hidden')
  await sendLastSync(page)
  await page.reload()
  await expect(page.getByText(WAITING)).toBeVisible()
  await seen('hidden')
  await origin.setConnection({ kind: 'up' })
  await seen('visible')
  await expect(page.getByText(/^Ready, /)).toBeVisible({ timeout: 5_000 })
  expect(context.pages()).toHaveLength(1)
})

/** Simulates the last attempt of a background sync: the portal uses none, and must lose nothing by one. */
async function sendLastSync(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  const event = { origin, registrationId: await registered, tag: 'outbox', lastChance: true }
  await devtools.send('ServiceWorker.dispatchSyncEvent', event)
  await devtools.detach()
}

test('the list of downloads is accessible in both themes, and every act is reached and named by keyboard', async ({
  page,
  origin,
}) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await askForDays(page, '2026-10-01', '2026-10-31')
  await openDownloads(page)
  await expect(page.getByText(/^Ready, /)).toBeVisible()
  await page.goBack()
  await origin.setConnection({ kind: 'refuse' })
  await askForDays(page, '2026-10-01', '2026-10-15')
  await openDownloads(page)
  await expect(page.getByText(WAITING)).toBeVisible()
  await expectAccessibleAndFits(page)
  const tryNow = downloadRow(page, '2026-10-01 to 2026-10-15').getByRole('button', { name: 'Try now' })
  await tryNow.focus()
  await expect(tryNow).toHaveAccessibleDescription('Transaction Report, 2026-10-01 to 2026-10-15.csv')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toContainText('Transaction Report, 2026-10-01 to 2026-10-15.csv')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(downloadRow(page, '2026-10-01 to 2026-10-15')).toBeHidden()
})
