import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/cameraFixtures.ts'
import { logInAtCounter } from '../../support/redemptions/counterPage.ts'

test('each sound can be tried, or all of them switched off', async ({ page, origin }) => {
  await logInAtCounter(page, origin)
  await page.goto('/settings/device')
  const panel = page.getByRole('region', { name: 'Help and sounds' })
  await expect(panel.getByRole('button', { name: /^Test: / })).toHaveCount(7)
  await panel.getByLabel('High').check()
  await panel.getByRole('button', { name: 'Test: On hold' }).click()
  await expectNoAxeViolations(page)
  await page.goto('/settings/device')
  await expect(panel.getByLabel('High')).toBeChecked()
  await panel.getByLabel('Sounds and vibration').uncheck()
  await expect(panel.getByRole('button')).toHaveCount(0)
})
