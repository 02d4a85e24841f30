import type { Page } from '@playwright/test'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { inTray, logInAtCounter } from '../../support/redemptions/counterPage.ts'

/**
 * Breaks the screen while the server's answer about a held voucher arrives, like software that changes pages: React finds the element
 * that it wants to remove in another place.
 */
async function breakCounter(page: Page, origin: PortalOrigin) {
  const { voucher } = await logInAtCounter(page, origin)
  await page.getByLabel('Or type the serial number').fill(voucher.serial)
  const held = page.waitForResponse('**/api/voucher/verify')
  await page.evaluate(() => {
    const form = document.querySelector('main')!.querySelector('form')!
    form.requestSubmit()
    document.createElement('div').append(form)
  })
  expect((await held).status()).toBe(200)
  await expect(page.getByRole('heading', { name: 'This screen could not be shown' })).toBeVisible()
}

test.beforeEach(({ pageWatch }) => pageWatch.forgive(/NotFoundError/))

test('a counter that breaks says nothing of what was done, and leads to My day', async ({ page, origin }) => {
  await breakCounter(page, origin)
  await expect(page.getByText('What you did last may be done. Look at My day before you go on.')).toBeVisible()
  await expect(page.getByText('Nothing was changed')).toHaveCount(0)
  await page.getByRole('link', { name: 'My day' }).click()
  await expect(page.getByRole('heading', { name: 'My day' })).toBeVisible()
})

test('a counter that breaks comes back with the voucher in hand', async ({ page, origin }) => {
  await breakCounter(page, origin)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(inTray(page, 'Good')).toBeVisible()
})
