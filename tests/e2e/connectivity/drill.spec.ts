import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readyOffline, signIn } from '../../support/accounts/signIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { buildDirectory } from '../../support/browser/builds.ts'
import { countTaps } from '../../support/browser/countTaps.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import {
  ledgerRows,
  sentRedemptions,
  signInAtCounter,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'

/** A build with the drill, its worker in charge, on the drill's own page. */
async function atTheDrill(page: Page, origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  origin.deploy('drill')
  await signIn(page, main)
  await readyOffline(page)
  await page.goto('/settings/device')
  await page.getByRole('link', { name: 'Outage drill' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Outage drill' })).toBeVisible()
  return main
}

const outage = (page: Page, title: string) => page.getByRole('listitem', { name: title, exact: true })
const expected = (page: Page, words: string) =>
  page.getByRole('list', { name: 'Expected' }).getByRole('listitem').filter({ hasText: words })
/** What a page stores before it knows of the outage is not refused. */
const underWay = (page: Page, scenario: string) =>
  expect(page.getByRole('combobox', { name: 'Outage drill' })).toHaveValue(scenario)
const header = (page: Page) => page.getByRole('banner')
/** The browser's own line for a call that the worker let fail. */
const FAILED_CALL = /net::ERR_FAILED|the server responded with a status of 500/

test('offline: the drill cuts the real calls, the app says so, gets back on its feet by itself, and the record can be saved', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(FAILED_CALL)
  const { main } = await makeMerchant(origin.database.db)
  origin.deploy('drill')
  await signIn(page, main)
  await readyOffline(page)
  const taps = await countTaps(page)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'This device' }).click()
  await page.getByRole('link', { name: 'Outage drill' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Outage drill' })).toBeFocused()
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoAxeViolations(page)
  const before = origin.requests.length
  await outage(page, 'Offline').getByRole('button', { name: 'Start' }).click()
  await fireOnline(page)
  await expect(expected(page, 'A call is cut')).toContainText('after')
  await expect(expected(page, 'The app says that there is no connection')).toContainText('after')
  await expect(header(page)).toContainText('No answer')
  expect(origin.requests.slice(before).filter(({ path }) => path.startsWith('/api'))).toEqual([])

  // What was seen until now is forgotten: a page that is loaded in the outage says the same.
  await forgetEvents(page)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Outage drill' })).toHaveValue('offline')
  await expect(expected(page, 'The app says that there is no connection')).toContainText('after')
  await expect(expected(page, 'A call is cut')).toContainText('after')
  const top = async (title: string) => (await page.getByRole('region', { name: title }).boundingBox())!.y
  expect(await top('Outages')).toBeLessThan(await top('What the app did'))
  await outage(page, 'Offline').getByRole('button', { name: 'End' }).click()
  await expect(page.getByRole('combobox', { name: 'Outage drill' })).toHaveValue('')
  await fireOnline(page)
  await expect(expected(page, 'After the end a call is answered again')).toContainText('after')
  await expect(expected(page, 'After the end the app says by itself that it is online')).toContainText('after')

  const { name, text } = await savedText(page)
  expect(taps()).toBe(6)
  expect(name).toMatch(/^outage-drill-offline-.*\.md$/)
  expect(text).toContain('# Outage drill: Offline')
  expect(text).toContain('- Build: drill')
  expect(text).toMatch(/- \[x\] A call is cut, after \d+\.\d s/)
  expect(text).toContain('GET /api/health, no answer')
})

const forgetEvents = (page: Page) =>
  page.evaluate(async () => {
    const opened = indexedDB.open('mp-drill')
    await new Promise((resolve) => (opened.onsuccess = resolve))
    const cleared = opened.result.transaction('events', 'readwrite').objectStore('events').clear()
    await new Promise((resolve) => (cleared.onsuccess = resolve))
    opened.result.close()
  })

async function savedText(page: Page) {
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save report' }).click()
  const file = await waiting
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

for (const { title, fulfils } of [
  { title: 'Login page of a Wi-Fi', fulfils: 'The app does not take it for an answer' },
  { title: 'Server errors', fulfils: 'The app says that the service does not answer' },
  { title: 'Slow connection', fulfils: 'The app says that the connection is slow' },
]) {
  test(`${title}: the app judges the connection as it is, and comes back after the end`, async ({
    page,
    origin,
    pageWatch,
  }) => {
    pageWatch.forgive(FAILED_CALL)
    await atTheDrill(page, origin)
    await page.getByRole('combobox', { name: 'Outage drill' }).selectOption(title)
    await fireOnline(page)
    await expect(expected(page, fulfils)).toContainText('after', { timeout: 20_000 })
    await page.getByRole('combobox', { name: 'Outage drill' }).selectOption('No outage')
    await fireOnline(page)
    await expect(expected(page, 'After the end the app says by itself that it is online')).toContainText('after', {
      timeout: 20_000,
    })
  })
}

test('lost answers: a redemption is carried out once, and the till asks again under the same key @short', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(FAILED_CALL)
  origin.deploy('drill')
  const { voucher } = await signInAtCounter(page, origin)
  await readyOffline(page)
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await page.getByRole('combobox', { name: 'Outage drill' }).selectOption('Lost answers')
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible({ timeout: 30_000 })
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  const ids = sentRedemptions(origin).map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
})

test('wrong clock: page and worker live two hours ago until the end', async ({ page, origin }) => {
  await atTheDrill(page, origin)
  const now = () => page.evaluate(() => Date.now())
  const before = await now()
  await outage(page, 'Wrong clock').getByRole('button', { name: 'Start' }).click()
  await expect.poll(now).toBeLessThan(before - 7_000_000)
  await page.getByRole('combobox', { name: 'Outage drill' }).selectOption('No outage')
  await expect.poll(now).toBeGreaterThanOrEqual(before)
})

test('full storage: what the device refuses to keep is recorded, and the screen still shows the answers', async ({
  page,
  origin,
}) => {
  await atTheDrill(page, origin)
  await outage(page, 'Full storage').getByRole('button', { name: 'Start' }).click()
  await underWay(page, 'fullStorage')
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await page.goto('/settings/device/drill')
  await expect(expected(page, 'The device refuses to keep something')).toContainText('after')
  await page.goto('/reports/daily-report')
  await underWay(page, 'fullStorage')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'This device is full' })).toBeVisible()
  await page.goto('/settings/device/drill')
  await expect(expected(page, 'The app says that the device is full')).toContainText('after')
})

test('update waiting: a version that really waits is offered, taken, and not offered again', async ({
  page,
  origin,
}) => {
  await atTheDrill(page, origin)
  await outage(page, 'Update waiting').getByRole('button', { name: 'Start' }).click()
  const prompt = page.getByText('New version available. Refresh now?')
  await expect(prompt).toBeVisible()
  await expect(expected(page, 'A new version is waiting')).toContainText('after')
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Refresh', exact: true }).click()])
  await expect(expected(page, 'It is put off or installed')).toContainText('after')
  await readyOffline(page)
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null)
  expect(await waiting()).toBeNull()
  await expect(prompt).toHaveCount(0)
})

test('a build for production has no drill, and no line of its code', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await signIn(page, main)
  await page.goto('/settings/device/drill')
  await expect(page.getByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible()
  expect(await filesNaming('drill', buildDirectory('drill'))).not.toEqual([])
  expect(await filesNaming('drill', buildDirectory('1'))).toEqual([])
})

async function filesNaming(word: string, directory: string): Promise<string[]> {
  const files = (await readdir(directory, { recursive: true })).filter((file) =>
    /\.(js|css|html|webmanifest)$/.test(file),
  )
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))
  return files.filter((file, index) => file.toLowerCase().includes(word) || texts[index]!.toLowerCase().includes(word))
}
