import { readyOffline } from '../../support/accounts/logIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'

const PAGES = [
  ['/terms-and-conditions', 'Terms and conditions'],
  ['/terms-of-use', 'Terms of use'],
  ['/voucher-management-guidelines', 'Voucher management guidelines'],
] as const

for (const [path, title] of PAGES) {
  test(`${title}: version, and contents that lead to each section`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page.getByText('Version 1.0, in force from 21 November 2026')).toBeVisible()
    const contents = page.getByRole('navigation', { name: 'Contents' }).getByRole('link')
    const headings = page.getByRole('article').getByRole('heading', { level: 2 })
    expect(await contents.allInnerTexts()).toEqual(await headings.allInnerTexts())
    expect(await headings.count()).toBeGreaterThan(5)
    await contents.last().click()
    await expect(headings.last()).toBeInViewport()
  })
}

testWithWorker(
  'the texts are read without a connection, and on a phone without scrolling sideways',
  async ({ page, origin }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/login')
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    for (const [path, title] of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  },
)
