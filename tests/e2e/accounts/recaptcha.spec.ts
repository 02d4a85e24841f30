import type { Page } from '@playwright/test'
import { startRecaptcha } from '../../support/accounts/recaptcha.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { startPortalOrigin } from '../../support/browser/portalOrigin.ts'
import { brandDialog, goodLogo, openNewBrand, uploadLogo } from '../../support/merchants/applicationForm.ts'

/** Runs a test on a server that is set up for reCAPTCHA, besides the worker's own. */
async function withRecaptcha(page: Page, score: number, run: (url: string, verified: () => string[]) => Promise<void>) {
  const recaptcha = await startRecaptcha()
  recaptcha.browserScore = score
  const origin = await startPortalOrigin({ recaptcha: recaptcha.settings })
  const paths = () =>
    origin.requests.map(({ path }) => path).filter((path) => path.startsWith('/api/signup/recaptcha/verify/'))
  try {
    await run(origin.url, paths)
    expect(origin.serverErrors).toEqual([])
  } finally {
    // Closed first, or the page would report that the server is gone.
    await page.close()
    await origin.close()
    await recaptcha.stop()
  }
}

test('where keys are set up, a person that v3 believes uploads without being asked anything', async ({ page }) => {
  await withRecaptcha(page, 0.9, async (url, verified) => {
    await page.goto(`${url}/register?type=hrp`)
    await uploadLogo(await openNewBrand(page), await goodLogo())
    expect(verified()).toEqual(['/api/signup/recaptcha/verify/v3'])
  })
})

test('whom v3 takes for a machine, the box of v2 lets through', async ({ page }) => {
  await withRecaptcha(page, 0.1, async (url, verified) => {
    await page.goto(`${url}/register?type=hrp`)
    const dialog = await openNewBrand(page)
    await dialog.locator('input[type=file]').setInputFiles(await goodLogo())
    await dialog.getByRole('button', { name: 'I am not a robot' }).click()
    await expect(brandDialog(page).getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
    await expect(dialog.getByRole('button', { name: 'I am not a robot' })).toHaveCount(0)
    expect(verified()).toEqual(['/api/signup/recaptcha/verify/v3', '/api/signup/recaptcha/verify/v2'])
  })
})

test('without keys no page may name another host, nor make a default policy', async ({ page }) => {
  const policy = (await page.goto('/register'))!.headers()['content-security-policy']!
  expect(policy).toContain("frame-src 'none'")
  expect(policy).toMatch(/trusted-types service-worker barcode-decoder$/)
})
