import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import { readyOffline, logIn } from '../accounts/logIn.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makeMerchant, makePosUser, makeRedemption } from '../database/builders.ts'

export const REPORTS = {
  transaction: '/reporting/report/merchant/transaction_report',
  monthly: '/reporting/report/monthly_report',
  daily: '/reporting/report/daily_report',
  preview: '/reporting/report/preview',
} as const

/** Makes a merchant whose only till redeemed $10.00, or the given amount, on each of these days. */
export async function merchantWithRedemptions(
  origin: PortalOrigin,
  days: readonly string[],
  denominationCents = 1_000,
) {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const till = await makePosUser(db, merchant)
  const made = []
  for (const day of days) made.push(await makeRedemption(db, till, day, { denominationCents }))
  return { ...merchant, till, vouchers: made.map(({ voucher }) => voucher) }
}

/** Logs in and opens the screen of a report. */
export async function openReport(
  page: Page,
  main: Parameters<typeof logIn>[1],
  name: 'transaction' | 'monthly' | 'daily',
) {
  await logIn(page, main, `/reports/${name}-report`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Report$/)
  await expect(page.getByLabel('Branch')).toBeVisible()
}

/** Opens a report with everything that it needs to work offline. */
export async function openReportForOffline(...given: Parameters<typeof openReport>) {
  await openReport(...given)
  await readyOffline(given[0])
}

export const downloadButton = (page: Page, format = 'CSV'): Locator =>
  page.getByRole('button', { name: `Download ${format}` })

/** Types these days and downloads the transaction report. */
export async function askForDays(page: Page, from: string, to: string) {
  await page.getByLabel('From').fill(from)
  await page.getByLabel('To', { exact: true }).fill(to)
  await downloadButton(page).click()
}

/** The list item of one download. */
export const downloadRow = (page: Page, title: string): Locator => page.getByRole('listitem').filter({ hasText: title })

export const openDownloads = (page: Page): Promise<void> => page.getByRole('link', { name: /^Downloads/ }).click()

/** Presses Save and returns the file that the browser wrote. */
export async function saveFile(page: Page, within: Page | Locator = page) {
  const downloading = page.waitForEvent('download')
  await within.getByRole('button', { name: 'Save file' }).click()
  const download = await downloading
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}
