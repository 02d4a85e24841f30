import { readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { makeMerchant, makePosUser } from '../../support/database/builders.ts'
import { OF_DEVICE, storedRows } from '../../support/devices/storage.ts'

// The test server names support@test.example and +65 6123 4567.

test('who cannot log in finds whom to ask below the form', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Help' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Help' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'support@test.example' })).toHaveAttribute(
    'href',
    'mailto:support@test.example',
  )
  await expect(page.getByRole('link', { name: '+65 6123 4567' })).toHaveAttribute('href', 'tel:+6561234567')
  await page.getByRole('link', { name: 'Set a new one by email' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible()
})

test('the account menu and the palette lead to help', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  const help = page.getByRole('heading', { level: 1, name: 'Help' })
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Help' }).click()
  await expect(help).toBeVisible()
  await page.goBack()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('help')
  await page.keyboard.press('Enter')
  await expect(help).toBeVisible()
})

testWithWorker(
  'a cashier without a connection reads whom to call, never having opened the page @short',
  async ({ page, origin }) => {
    const till = await makePosUser(origin.database.db)
    await logIn(page, till)
    await readyOffline(page)
    await expect
      .poll(() => storedRows(page, OF_DEVICE, 'lists'))
      .toContainEqual(expect.objectContaining({ key: 'support' }))
    await origin.setConnection({ kind: 'refuse' })
    await page.getByRole('link', { name: 'My day' }).click()
    // The text above the links grows when the device has read its storage.
    await expect(page.getByText('No voucher today')).toBeVisible()
    await page.getByRole('link', { name: 'Help' }).click()
    await expect(page.getByRole('link', { name: '+65 6123 4567' })).toBeVisible()
    await expect(page.getByText(/This is as of/)).toBeVisible()
  },
)
