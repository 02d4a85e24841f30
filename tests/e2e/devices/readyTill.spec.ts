import type { Page } from '@playwright/test'
import { TEST_CODE } from '../../../src/domain/vouchers.ts'
import { readyOffline, scan } from '../../support/accounts/signIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, testWithWorker as test } from '../../support/browser/cameraFixtures.ts'
import { givePersistence, panel } from '../../support/devices/devicePage.ts'
import { countPrints, pressByKeyboard } from '../../support/devices/fakePrinter.ts'
import { signInAtCounter } from '../../support/redemptions/counterPage.ts'

const ready = (page: Page) => panel(page, 'Ready for the shift')

test('before the shift a cashier tries camera, scanner and printer by keyboard, and nothing is redeemed @short', async ({
  page,
  origin,
  camera,
}) => {
  await givePersistence(page, true)
  const prints = await countPrints(page)
  const { voucher } = await signInAtCounter(page, origin)
  await camera.shows({ codes: [{ kind: 'ean13', text: voucher.serial }] })
  await readyOffline(page)
  await page.getByRole('link', { name: /^This device: / }).click()
  await expect(ready(page)).toContainText('Ready to work offline')
  await pressByKeyboard(page, 'Try: Camera')
  await expect(ready(page)).toContainText('It works: a code was read.')
  await pressByKeyboard(page, 'Stop: Camera')
  await pressByKeyboard(page, 'Try: Hand scanner')
  await scan(page, '2004839201186', page.getByText('Another code arrived.'))
  await expectAccessibleAndFits(page, 'the code to scan')
  await scan(page, `HRP1.${TEST_CODE}`, page.getByText('It works: the code arrived.'))
  // By pointer: an Enter so soon after a scan would be the scan's own (rule 14.12).
  await page.getByRole('button', { name: 'Print a test' }).click()
  expect(await prints()).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('main')).toContainText(/Test page[\s\S]*This is no voucher/, { useInnerText: true })
  expect(origin.requests.filter(({ path }) => path.includes('/hold'))).toEqual([])
})

test('a camera that is missing is said with what corrects it, and tried again', async ({ page, origin, camera }) => {
  await camera.goesMissing()
  await signInAtCounter(page, origin)
  await page.goto('/settings/device')
  await page.getByRole('button', { name: 'Try: Camera' }).click()
  await expect(ready(page)).toContainText('No camera was found. Connect one and try again')
  await expect(ready(page).getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessibleAndFits(page, 'a camera that is missing')
})
