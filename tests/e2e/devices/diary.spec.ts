import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import { connectionBanner, fireOnline, fireVisibilityChange } from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { panel } from '../../support/devices/devicePage.ts'

const DEVICE = '/settings/device'
const diary = (page: Page) => panel(page, 'Connection diary')
const days = (page: Page) => diary(page).getByRole('figure')

/** Seen again, a page writes down how the connection was until now. */
async function expectDiary(page: Page, words: RegExp) {
  await expect(async () => {
    await fireVisibilityChange(page)
    await expect(days(page).first()).toContainText(words, { timeout: 500 })
  }).toPass()
}

async function savedLines(page: Page) {
  const saving = page.waitForEvent('download')
  await diary(page).getByRole('button', { name: 'Download as CSV' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toMatch(/^connection-diary-20\d\d-\d\d-\d\d\.csv$/)
  return (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
}

test('the device keeps a diary of its connection, which an outage, a reload and a logout leave whole', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await readyOffline(page)
  await page.goto(DEVICE)
  await expectDiary(page, /^Today, \d+ \w+: online \d+\ss/)
  await origin.line({ kind: 'refuse' })
  await fireOnline(page)
  await expect(connectionBanner(page)).toBeVisible()
  await expectDiary(page, /service not reached \d+\ss, longest outage \d+\ss$/)
  // Read, and saved, without the server.
  await page.reload()
  await expect(days(page).first()).toContainText('service not reached')
  const [head, today] = await savedLines(page)
  expect(head).toMatch(/^\uFEFFDay,Online \(seconds\),/)
  expect(today).toMatch(/^20\d\d-\d\d-\d\d,\d+,0,[1-9]\d*,0,[1-9]\d*,\d\d:\d\d–\d\d:\d\d$/)
  await expectAccessibleAndFits(page)
  await origin.line({ kind: 'up' })
  await connectionBanner(page).getByRole('button', { name: 'Try now' }).click()
  await expect(connectionBanner(page)).toHaveCount(0)
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await signIn(page, main, DEVICE)
  await expectDiary(page, /service not reached \d+\ss/)
})

test('a week is shown, and all thirty days on a word', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.addInitScript(keepThirtyDays, Date.now())
  await signIn(page, main, DEVICE)
  await expect(days(page)).toHaveCount(7)
  await expect(diary(page)).toContainText('Last 7 days')
  await diary(page).getByRole('button', { name: 'Show all 30 days' }).click()
  await expect(days(page)).toHaveCount(30)
  await expect(days(page).nth(1)).toContainText('online 11 h 30 min, slow 15 min, service not reached 20 min, offline')
  await expect(days(page).nth(1)).toContainText('longest outage 40 min')
  await expectAccessibleAndFits(page)
  expect(await savedLines(page)).toHaveLength(31)
  await diary(page).getByRole('button', { name: 'Show the last 7 days' }).click()
  await expect(days(page)).toHaveCount(7)
})

/** Runs in the page. A shop that is open from nine to nine, with an outage in the afternoon. */
function keepThirtyDays(now: number) {
  const strip = `${'.'.repeat(36)}${'o'.repeat(10)}s${'o'.repeat(10)}uuxxxx${'o'.repeat(21)}${'.'.repeat(12)}`
  const stored = Array.from({ length: 30 }, (_, at) => ({
    day: new Date(now + (8 - 24 * (29 - at)) * 3_600_000).toISOString().slice(0, 10),
    strip,
    seconds: { online: 41_400, slow: 900, unreachable: 1_200, offline: 2_400 },
    longest_outage: 2_400,
  }))
  localStorage.setItem('connection-diary', JSON.stringify({ days: stored, until: now }))
}
