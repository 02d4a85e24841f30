import type { Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeMerchant } from '../../support/database/builders.ts'

type Consumer = (launch: { targetURL: string }) => void

/** Simulates a second opening of the installed app; a test browser has no installed apps. */
const launch = (page: Page, path: string) =>
  page.evaluate((target) => {
    const { consumer } = window as unknown as { consumer: Consumer }
    consumer({ targetURL: new URL(target, location.href).href })
  }, path)

test.beforeEach(async ({ page, origin }) => {
  await page.addInitScript(() => {
    const launchQueue = { setConsumer: (consumer: Consumer) => Object.assign(window, { consumer }) }
    Object.defineProperty(window, 'launchQueue', { value: launchQueue })
  })
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  await page.waitForFunction(() => 'consumer' in window)
})

test('a second launch leads the open window to its address', async ({ page }) => {
  await launch(page, '/vouchers')
  await expect(page.getByRole('heading', { level: 1, name: 'Vouchers' })).toBeVisible()
  await expect(page).toHaveURL('/vouchers')
})

test('a launch from the icon, and one to the address that is open, change nothing', async ({ page }) => {
  await launch(page, '/vouchers')
  await expect(page).toHaveURL('/vouchers')
  await launch(page, '/?source=pwa')
  await launch(page, '/vouchers')
  await launch(page, '/vouchers?source=shortcut')
  await expect(page.getByRole('heading', { level: 1, name: 'Vouchers' })).toBeVisible()
  await expect(page).toHaveURL('/vouchers')
})

test('a second launch never drops what is typed, and says so @short', async ({ page }) => {
  await page.goto('/branches/create')
  await page.waitForFunction(() => 'consumer' in window)
  await page.getByLabel('Branch name').fill('Tampines Central')
  await launch(page, '/vouchers')
  await expect(page.getByText('Finish what is on this page first, then open the other page again.')).toBeVisible()
  await expect(page).toHaveURL('/branches/create')
  await expect(page.getByLabel('Branch name')).toHaveValue('Tampines Central')
})
