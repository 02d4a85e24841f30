import type { Page } from '@playwright/test'
import { readyOffline } from '../../support/accounts/logIn.ts'
import { buildKillSwitch, KILL_SWITCH } from '../../support/browser/builds.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import { cachedFiles, countLoads } from '../../support/browser/updates.ts'
import { readStorage } from '../../support/devices/storage.ts'
import {
  downloadButton,
  downloadRow,
  merchantWithRedemptions,
  openDownloads,
  openReportForOffline,
  REPORTS,
} from '../../support/reports/reportPage.ts'

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)

/** The browser's data outside of caches: the row counts of its databases, and local storage. */
async function kept(page: Page) {
  const { indexedDB, localStorage } = await readStorage(page)
  const rows = indexedDB.flatMap(({ name, stores }) =>
    stores.map((table) => [`${name} ${table.name}`, table.records.length] as const),
  )
  return { rows: Object.fromEntries(rows), stored: localStorage.map(({ name }) => name).toSorted() }
}

test.beforeAll(buildKillSwitch)

test('offline 24: the kill switch leaves no worker and no cache, loads each tab once, and keeps what was queued', async ({
  page,
  context,
  origin,
}) => {
  const { main } = await merchantWithRedemptions(origin, ['2026-10-05'])
  await openReportForOffline(page, main, 'monthly')
  await page.getByLabel('From').selectOption('Oct 2026')
  await page.getByLabel('To', { exact: true }).selectOption('Oct 2026')
  await origin.setConnection({ kind: 'refuse' }, ({ path }) => path === REPORTS.monthly)
  await downloadButton(page).click()
  await openDownloads(page)
  await expect(downloadRow(page, 'Monthly Report, 2026-10.csv')).toContainText('Try now')
  const busy = await context.newPage()
  await busy.goto('/branches/create')
  await busy.getByLabel('Branch name').fill('Tampines Central')
  await readyOffline(busy)
  const before = await kept(page)
  expect(Object.values(before.rows).some((count) => count > 0)).toBe(true)
  const loads = countLoads(page)
  const busyLoads = countLoads(busy)

  origin.deploy(KILL_SWITCH)
  // Chromium sometimes lets a worker wait for minutes although the one before it is idle (sw/killSwitch.ts).
  test.setTimeout(420_000)
  // Checks that follow each other closely are merged: a tab that has just checked reloads with the next check.
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await expect(page.locator('html')).toHaveAttribute('data-build', '2', { timeout: 5_500 })
  }).toPass()
  await expect(downloadRow(page, 'Monthly Report, 2026-10.csv')).toContainText('Try now')
  await expect.poll(() => registrations(page)).toBe(0)
  expect(await cachedFiles(page)).toBe(0)
  const after = await kept(page)
  expect(after.stored).toEqual(expect.arrayContaining(before.stored))
  for (const [table, count] of Object.entries(before.rows))
    expect(after.rows[table], table).toBeGreaterThanOrEqual(count)
  expect(loads()).toBe(1)
  // A tab with unsaved work asks first and does not reload.
  expect(busyLoads()).toBe(0)
  await expect(busy.getByLabel('Branch name')).toHaveValue('Tampines Central')
  await busy.close()

  // The next good build is installed as on a first visit.
  origin.deploy('2')
  await page.reload()
  await readyOffline(page)
  expect(await cachedFiles(page)).toBeGreaterThan(100)
})
