import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { startServer } from '../support/server/serverProcess.ts'

interface Demo {
  url: string
  /** The serial of a voucher that can be redeemed. */
  serial: () => string
  stop: () => Promise<unknown>
}

/** Starts the server with its demo data, on a free port. Throws when it does not answer in time. */
export async function startDemo(dataDir: string): Promise<Demo> {
  const { url, printed, stop } = await startServer({ DATA_DIR: dataDir, DATABASE_URL: '' })
  return { url, stop, serial: () => /^ +(2[\d ]+?) +active$/m.exec(printed())?.[1] ?? '' }
}

/** A browser context in Singapore with persistent storage: a picture shows the portal, not this browser. */
export async function demoContext(
  browser: Browser,
  baseURL: string,
  shape: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...shape, baseURL, timezoneId: 'Asia/Singapore', locale: 'en-SG' })
  await context.addInitScript(() => {
    navigator.storage.persisted = async () => true
  })
  return context
}

/** Logs in by the form, as a person does: all accounts of the demo have the same password. */
export async function logInToDemo(page: Page, account: string): Promise<void> {
  await page.goto('/login')
  if (!account.includes('@')) await page.getByRole('link', { name: 'Point of sale' }).click()
  await page.getByLabel(account.includes('@') ? 'Email' : 'Username').fill(account)
  await page.getByLabel('Password', { exact: true }).fill('Demo-Portal-2026!')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}
