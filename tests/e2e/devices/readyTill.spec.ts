import type { Page } from '@playwright/test'
import { readyOffline } from '../../support/accounts/logIn.ts'
import { expect, testWithWorker as test } from '../../support/browser/fixtures.ts'
import { givePersistence, panel } from '../../support/devices/devicePage.ts'
import { countPrints } from '../../support/devices/fakePrinter.ts'
import { logInAtCounter } from '../../support/redemptions/counterPage.ts'

const ready = (page: Page) => panel(page, 'Ready for the shift')

test('before the shift a cashier looks whether the till is ready, and tries its printer @short', async ({
  page,
  origin,
}) => {
  await givePersistence(page, true)
  const prints = await countPrints(page)
  await logInAtCounter(page, origin)
  await readyOffline(page)
  await page.getByRole('link', { name: /^This device: / }).click()
  await expect(ready(page)).toContainText('Ready to work offline')
  await page.getByRole('button', { name: 'Print a test' }).click()
  expect(await prints()).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toContainText(/Test page[\s\S]*This is no voucher/, { useInnerText: true })
})
