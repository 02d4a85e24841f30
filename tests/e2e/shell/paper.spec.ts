import type { Page } from '@playwright/test'
import { sendDueSummaries } from '../../../server/services/reports/monthlySummary.ts'
import { logIn } from '../../support/accounts/logIn.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeBranch, makeRedemption } from '../../support/database/builders.ts'
import { merchantWithPast } from '../../support/merchants/merchantWithPast.ts'
import { merchantWithRedemptions } from '../../support/reports/reportPage.ts'
import { readPdf } from '../../support/uploads/readPdf.ts'

// The printed pages, as the browser makes them.

/** The usual margins of a browser. */
const MARGIN = { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' }

async function paperOf(page: Page) {
  await expect(page.locator('[aria-busy=true], [data-skeleton]')).toHaveCount(0)
  const bytes = await page.pdf({ format: 'A4', margin: MARGIN })
  return readPdf(Uint8Array.from(bytes).buffer)
}

/** The end of the long name, because a PDF may split the letters `ff`, and also `fi`. */
const WHOSE = /^.* House Holdings \(Tampines Central\) Pte\. Ltd\. Printed \d+ \w+ \d{4}, \d\d:\d\d by /

const WINDOWS = [
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1920, height: 1080, colorScheme: 'dark' },
] as const

test('a report is printed whole from every window: whose, of when, to the last day, and where all rows are @short', async ({
  page,
  origin,
}) => {
  const days = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`)
  const { main, organisation } = await merchantWithRedemptions(origin, days)
  await logIn(page, main, '/reports/transaction-report')
  await page.getByLabel('From').fill('2026-10-01')
  await page.getByLabel('To', { exact: true }).fill('2026-10-31')
  await expect(page.getByText('First 10 of 31 rows')).toBeVisible()
  for (const { colorScheme, ...size } of WINDOWS) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    const { text } = await paperOf(page)
    for (const fact of [
      organisation.name,
      /Printed \d+ \w+ \d{4}, \d\d:\d\d by /,
      main.loginName,
      'Transaction Report',
      'Period 1–31 Oct 2026',
      'Branch All branches',
      '31 vouchers · $310.00',
      /1 Oct 16 Oct 31 Oct/,
      // The columns that a narrow screen hides.
      /Receipt number .*POS user .*Recorded at/,
      /First 10 of 31 rows See the .* for all of them\./,
    ])
      expect(text).toMatch(fact)
    for (const word of ['Preview', 'Show table', 'Download', 'Dashboard']) expect(text).not.toContain(word)
  }
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  // Paper is white in every theme.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(27, 33, 43)')
})

test('lists and the dashboard are printed with all their columns, the filters in use, and nothing to press', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await merchantWithPast(origin)
  await makeBranch(db, merchant.organisation, { name: 'Kallang Wave' })
  for (let day = 1; day <= 28; day += 1)
    await makeRedemption(db, merchant.till, `2026-10-${String(day).padStart(2, '0')}`)
  const filter = JSON.stringify({ status: 'Used', used_from: '2026-10-05', used_to: '2026-10-28' })
  const printed: Record<string, RegExp[]> = {
    '/dashboard': [/Redeemed today .*Redeemed per day .*Today/, /Latest redemptions/],
    '/payments': [/Month Vouchers Amount Due Paid on Reference/],
    '/activity': [/Action Person Branch Device Time/],
    '/branches': [/Name Branch code Status Managed by POS users Login status Last login/, /Kallang Wave/],
    [`/vouchers?size=50&filter=${encodeURIComponent(filter)}`]: [
      /Status Used/,
      /Date used 5–28 Oct 2026/,
      /Serial number Denomination Status Date used Branch Expires/,
      /1–\d\d of \d\d/,
    ],
  }
  await sendDueSummaries(origin.deps)
  await page.setViewportSize({ width: 390, height: 844 })
  await logIn(page, merchant.main, '/dashboard')
  for (const [path, facts] of Object.entries(printed)) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const { text } = await paperOf(page)
    for (const fact of [WHOSE, ...facts]) expect(text, path).toMatch(fact)
    for (const word of ['Export CSV', 'Rows per page', 'All vouchers', 'Reload figures', 'Skip to content'])
      expect(text, path).not.toContain(word)
  }
})
