import { DEMO_LOGINS, prepareDemo } from '../../../server/demo/prepareDemo.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { startPortalOrigin } from '../../support/browser/portalOrigin.ts'

test('the login of a demo says what this is, and one press logs in as a merchant or a cashier', async ({ page }) => {
  const origin = await startPortalOrigin()
  try {
    await prepareDemo(origin.database, 'auto', origin.clock.now())
    origin.deps.settings.demoLogins = DEMO_LOGINS
    await page.goto(`${origin.url}/login`)
    const demo = page.getByRole('region', { name: 'Try the demo' })
    await expect(demo.getByRole('button')).toHaveText(DEMO_LOGINS.accounts.map(({ description }) => description))
    await expectAccessibleAndFits(page)

    await demo.getByRole('button', { name: 'HRP Merchant, the main account' }).click()
    await expect(page).toHaveURL(`${origin.url}/dashboard`)

    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${origin.url}/login`)
    await demo.getByRole('button', { name: 'Cashier at Tampines Central' }).click()
    await expect(page).toHaveURL(`${origin.url}/redeem`)
    expect(origin.serverErrors).toEqual([])
  } finally {
    await page.close()
    await origin.close()
  }
})

test('where there is no demo, the login offers no account', async ({ page }) => {
  const answered = page.waitForResponse('**/api/demo')
  await page.goto('/login')
  expect(await (await answered).json()).toMatchObject({ data: null })
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await expect(page.getByText('Try the demo')).toHaveCount(0)
})
