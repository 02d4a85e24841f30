import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { buildDirectory } from '../../support/browser/builds.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import { fireOnline } from '../../support/connectivity/connectivity.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import {
  ledgerRows,
  sentRedemptions,
  logInAtCounter,
  verdict,
  verifySerial,
} from '../../support/redemptions/counterPage.ts'

const outage = (page: Page) => page.getByRole('combobox', { name: 'Outage drill' })
const header = (page: Page) => page.getByRole('banner')
/** The browser's console message for a call that the worker let fail. */
const FAILED_CALL = /net::ERR_FAILED/

for (const { scenario, says } of [
  { scenario: 'offline', says: 'No answer' },
  { scenario: 'captive', says: 'Wi-Fi login' },
  { scenario: 'slow', says: 'Slow' },
]) {
  test(`${scenario}: the real calls are spoiled until the drill ends, the app says so, and comes back by itself`, async ({
    page,
    origin,
    pageWatch,
  }) => {
    pageWatch.forgive(FAILED_CALL)
    const { main } = await makeMerchant(origin.database.db)
    origin.deploy('drill')
    await logIn(page, main)
    await readyOffline(page)
    await outage(page).selectOption(scenario)
    await fireOnline(page)
    await expect(header(page)).toContainText(says, { timeout: 20_000 })
    await expectNoAxeViolations(page)
    // A page that is loaded during the outage is affected too.
    await page.reload()
    await expect(outage(page)).toHaveValue(scenario)
    await expect(header(page)).toContainText(says, { timeout: 20_000 })
    await outage(page).selectOption('No outage')
    await fireOnline(page)
    await expect(header(page)).not.toContainText(says, { timeout: 20_000 })
  })
}

test('an outage ends by itself after ten minutes', async ({ page, origin, pageWatch }) => {
  pageWatch.forgive(FAILED_CALL)
  const { main } = await makeMerchant(origin.database.db)
  origin.deploy('drill')
  await logIn(page, main)
  await readyOffline(page)
  await page.clock.install()
  await page.reload()
  await outage(page).selectOption('slow')
  await expect(outage(page)).toHaveValue('slow')
  await page.clock.fastForward('10:01')
  await expect(outage(page)).toHaveValue('')
})

test('lost answers: a redemption is carried out once, and the till asks again under the same key', async ({
  page,
  origin,
  pageWatch,
}) => {
  pageWatch.forgive(FAILED_CALL)
  origin.deploy('drill')
  const { voucher } = await logInAtCounter(page, origin)
  await readyOffline(page)
  await verifySerial(page, voucher.serial)
  await expect(page.getByRole('button', { name: 'Redeem $10.00' })).toBeVisible()
  await outage(page).selectOption('lostAnswer')
  await page.getByRole('button', { name: 'Redeem $10.00' }).click()
  await expect(verdict(page, 'Redeemed')).toBeVisible({ timeout: 30_000 })
  expect(await ledgerRows(origin, voucher.id)).toHaveLength(1)
  const ids = sentRedemptions(origin).map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(1)
})

test('a build for production has no drill, and no line of its code', async () => {
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
