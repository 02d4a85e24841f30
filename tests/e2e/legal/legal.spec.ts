import { readyOffline } from '../../support/accounts/signIn.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { oneLine, readPdf } from '../../support/uploads/readPdf.ts'

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

test('the PDF of the terms says what the page says, word for word @short', async ({ page, request }) => {
  await page.goto('/terms-and-conditions')
  const link = page.getByRole('link', { name: 'Download PDF' })
  const file = await request.get((await link.getAttribute('href'))!)
  expect(file.status()).toBe(200)
  const pdf = await readPdf(new Uint8Array(await file.body()).buffer)
  const shown = await page.evaluate(() => {
    const head = document.querySelector<HTMLElement>('[data-page-head] > div:first-child')!
    return `${head.innerText} ${document.querySelector<HTMLElement>('article')!.innerText}`
  })
  expect(oneLine(shown).length).toBeGreaterThan(5_000)
  expect(pdf.text).toBe(oneLine(shown))
})

test('on paper the text stands alone', async ({ page }) => {
  await page.goto('/terms-and-conditions')
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeVisible()
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('link', { name: 'Download PDF' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeHidden()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('article')).toBeVisible()
})

testWithWorker(
  'the texts are read without a connection, and on a phone without scrolling sideways',
  async ({ page, origin }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/login')
    await readyOffline(page)
    await origin.line({ kind: 'refuse' })
    for (const [path, title] of PAGES) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBeLessThanOrEqual(0)
    }
  },
)
