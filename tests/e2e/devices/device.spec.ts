import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import {
  denyCamera,
  devicePill,
  expectDevicePill,
  fact,
  givePersistence,
  openSupport,
  panel,
} from '../../support/devices/devicePage.ts'
import { ageCachedRows, ofUser, storedRows } from '../../support/devices/storage.ts'
import {
  isRedemption,
  logInAtCounter,
  UPLOADING,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'
import { askForDays, merchantWithRedemptions, openReportForOffline } from '../../support/reports/reportPage.ts'

const DEVICE = '/settings/device'
const LISTS = ['Denominations', 'Branches', 'Masters', 'POS users']

/** Opens this page as the main account of a new merchant, with all its data stored. */
async function openDevice(page: Page, origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await readyOffline(page)
  await page.goto(DEVICE)
  await expect(page.getByRole('heading', { level: 1, name: 'This device' })).toBeVisible()
  await openSupport(page)
  return main
}

test('after the first login the header says "Ready offline", and leads to what is kept and from when @short', async ({
  page,
  origin,
}) => {
  await givePersistence(page, true)
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await readyOffline(page)
  await expectDevicePill(page, 'Ready offline')
  await expect(devicePill(page)).toContainText('Ready offline')
  await devicePill(page).click()
  await expect(page).toHaveURL(DEVICE)
  await expect(panel(page, 'Ready to work offline')).toContainText('are on this device.')
  await openSupport(page)
  for (const name of LISTS) await expect(fact(page, name)).toHaveText(/As of \d\d:\d\d today/)
  await expect(fact(page, 'Storage used')).toHaveText(/^[\d.]+ [KM]B of [\d.]+ GB$/)
  await expect(fact(page, 'Protected from deletion')).toContainText('Yes')
  await expect(fact(page, 'Version')).toHaveText('1')
})

test('the header names what is missing, the worst first, and the page says what each means', async ({
  page,
  origin,
}) => {
  await givePersistence(page, false)
  origin.clock.advance(10 * 60_000 + 30_000)
  const main = await openDevice(page, origin)
  await expectDevicePill(page, 'Clock 10 minutes slow')
  await origin.setConnection({ kind: 'refuse' })
  await ageCachedRows(page, main.id, 73 * 3_600_000, 'branches')
  await page.reload()
  await expectDevicePill(page, 'Clock 10 minutes slow +1 more')
  const missing = panel(page, 'Ready to work offline').getByRole('listitem')
  await expect(missing).toHaveCount(2)
  await expect(missing.nth(1)).toContainText('Up to 3 days old: Branches.')
  await openSupport(page)
  await expect(fact(page, 'Branches')).toContainText('more than a day ago')
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name)
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expectDevicePill(page, 'Getting ready +2 more')
})

test('a list is refreshed on a word while there is a connection, and says before the tap that it needs one', async ({
  page,
  origin,
}) => {
  await givePersistence(page, true)
  const main = await openDevice(page, origin)
  await expectDevicePill(page, 'Ready offline')
  // Cut the connection first: an answer under way would refresh the list.
  await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === '/api/filter/transaction/branch_list')
  await ageCachedRows(page, main.id, 25 * 3_600_000, 'branches')
  await page.reload()
  await expectDevicePill(page, 'Lists 1 day old')
  await origin.restore()
  await openSupport(page)
  await panel(page, 'Lists for offline').getByRole('button', { name: 'Refresh now' }).click()
  await expectDevicePill(page, 'Ready offline')
  await origin.setConnection({ kind: 'refuse' })
  await page.reload()
  await openSupport(page)
  await expect(page.getByRole('button', { name: 'Refresh when online' })).toHaveAttribute('aria-disabled', 'true')
  await expect(fact(page, 'Branches')).toContainText(/As of \d\d:\d\d today/)
})

test('what went wrong on this device is listed, and the server is told when it answers again', async ({
  page,
  origin,
}) => {
  await openDevice(page, origin)
  const troubles = panel(page, 'Recent problems')
  await expect(troubles).toContainText('No recent problems')
  await origin.setConnection({ kind: 'refuse' })
  await page.evaluate(() => dispatchEvent(new Event('offline')))
  await expect(troubles).toContainText(/Connection: (OFFLINE|UNREACHABLE)/)
  await expect(troubles).toContainText('Not reported yet.')
  await origin.setConnection({ kind: 'up' })
  await expect(troubles).toContainText('Reported.', { timeout: 30_000 })
  expect(origin.sent('POST', '/api/device/troubles')).toHaveLength(1)
})

test('the browser is asked to keep what is stored from a tap, and its refusal is said', async ({ page, origin }) => {
  await givePersistence(page, false)
  await openDevice(page, origin)
  await page.getByRole('button', { name: 'Protect data' }).click()
  await expect(page.getByText('The browser said no.')).toBeVisible()
})

test('a promise of the browser is shown at once', async ({ page, origin }) => {
  await givePersistence(page, 'when asked')
  await openDevice(page, origin)
  await expect(fact(page, 'Protected from deletion')).toContainText('No.')
  await page.getByRole('button', { name: 'Protect data' }).click()
  await expect(fact(page, 'Protected from deletion')).toContainText('Yes')
})

test('the first download that waits asks the browser to keep it, once', async ({ page, origin }) => {
  await page.addInitScript(() => {
    const asked: number[] = []
    Object.assign(window, { asked })
    navigator.storage.persist = async () => asked.push(1) < 0
  })
  const asked = () => page.evaluate(() => (window as never as { asked: number[] }).asked.length)
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  expect(await asked()).toBe(0)
  await origin.setConnection({ kind: 'refuse' })
  for (const to of ['2026-10-15', '2026-10-30']) await askForDays(page, '2026-10-01', to)
  await expect(page.getByRole('link', { name: 'Downloads, 2 open' })).toBeVisible()
  expect(await asked()).toBe(1)
  await page.reload()
  await askForDays(page, '2026-10-01', '2026-10-31')
  await expect(page.getByRole('link', { name: 'Downloads, 3 open' })).toBeVisible()
  expect(await asked()).toBe(0)
})

test('a look for a newer version says what came of it, and takes it on another word', async ({ page, origin }) => {
  await givePersistence(page, true)
  await openDevice(page, origin)
  const look = page.getByRole('button', { name: 'Check now' })
  await look.click()
  await expect(page.getByText('This is the newest version.')).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await look.click()
  await expect(page.getByText('The server could not be reached.')).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  origin.deploy('2')
  await look.click()
  // All files of the release are fetched before it is offered.
  await expect(page.getByText('A new version is on this device.')).toBeVisible({ timeout: 30_000 })
  await expectDevicePill(page, 'Update waiting')
  await page.getByRole('button', { name: 'Update now' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-build', '2')
  await expect(fact(page, 'Version')).toHaveText('2')
})

test('kept data is removed from the device, but not while a download waits', async ({ page, origin }) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'transaction')
  await origin.setConnection({ kind: 'refuse' })
  await askForDays(page, '2026-10-01', '2026-10-15')
  await expect(page.getByRole('link', { name: 'Downloads, 1 open' })).toBeVisible()
  await page.goto(DEVICE)
  await expect(panel(page, 'Waiting on this device')).toContainText('1 download not saved yet')
  await openSupport(page)
  const remove = page.getByRole('button', { name: 'Clear offline data' })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await expect(remove).toHaveAccessibleDescription(/^Not possible now: /)
  await page.getByRole('link', { name: 'Open downloads' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: 'Discard download' }).click()
  await expect(page.getByRole('link', { name: 'Downloads, 1 open' })).toHaveCount(0)
  await page.goto(DEVICE)
  await openSupport(page)
  expect(await storedRows(page, ofUser(main.id), 'reads')).not.toEqual([])
  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear offline data' }).click()
  await expect(page.getByText('The offline data of this device was cleared.')).toBeVisible()
  for (const table of ['lists', 'reads', 'drafts', 'outbox', 'files']) {
    expect(await storedRows(page, ofUser(main.id), table), table).toEqual([])
  }
  await expect(devicePill(page)).toHaveAccessibleName(/Lists missing/)
  await expect(page).toHaveURL(DEVICE)
})

test('a cashier sees what the counter lacks, how much waits, and no removal while money does', async ({
  page,
  origin,
}) => {
  await givePersistence(page, true)
  await denyCamera(page)
  const { voucher } = await logInAtCounter(page, origin)
  await readyOffline(page)
  await expectDevicePill(page, 'Camera blocked')
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await devicePill(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'This device' })).toBeVisible()
  await expect(panel(page, 'Ready for the shift')).toContainText('Camera blocked')
  await openSupport(page)
  await expect(panel(page, 'Waiting on this device')).toContainText('1 voucher, $10.00. Keep this device on.')
  await expect(page.getByRole('button', { name: 'Clear offline data' })).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText(voucher.serial)).toHaveCount(0)
  await page.getByRole('link', { name: 'Counter' }).click()
  await expect(page).toHaveURL('/redeem')
})

test('a till whose data may be cleared says so in the header while money waits on it, and a visitor sees nothing of it', async ({
  page,
  origin,
}) => {
  await givePersistence(page, false)
  await page.goto('/login')
  await expect(devicePill(page)).toHaveCount(0)
  const { voucher } = await logInAtCounter(page, origin)
  await expectDevicePill(page, 'Ready offline')
  await verifySerial(page, voucher.serial)
  await origin.setConnection({ kind: 'refuse' }, isRedemption)
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, UPLOADING)).toBeVisible()
  await expectDevicePill(page, 'Install the app')
  await origin.restore()
  await fireVisibilityChange(page)
  await expectDevicePill(page, 'Ready offline')
})
