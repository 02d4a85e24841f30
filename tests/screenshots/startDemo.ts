import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { desk } from '../support/server/desk.ts'
import { startServer } from '../support/server/serverProcess.ts'

interface Demo {
  url: string
  /** The serial of a voucher that can be redeemed. */
  serial: string
  stop: () => Promise<unknown>
}

/** Starts the server with its demo data, on a free port. Throws when it does not answer in time. */
export async function startDemo(dataDir: string): Promise<Demo> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: '' }
  const { url, stop } = await startServer(env)
  // The server prints serials on a terminal only, and here it has none.
  const csv = await desk(env, 'issue-vouchers --count 1 --denomination 10 --expires 2099-12-31')
  return { url, stop, serial: /^\d{13}/m.exec(csv)![0] }
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

/** Takes a picture in the portal's typeface, which appears with the next screen after it has loaded, and of strips at rest. */
export async function photograph(page: Page): Promise<Buffer> {
  await page.waitForFunction(() => document.fonts.size > 0)
  return page.screenshot({ animations: 'disabled' })
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
