import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { freePort } from '../support/server/freePort.ts'

const ROOT = join(import.meta.dirname, '../..')
const STARTS_WITHIN_MS = 60_000

interface Demo {
  url: string
  /** Of a voucher that can be redeemed. */
  serial: () => string
  stop: () => Promise<void>
}

/** The server with its demo data, on a port of its own. Throws when it does not answer in time. */
export async function startDemo(dataDir: string): Promise<Demo> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = spawn(process.execPath, ['--import', 'tsx', 'server/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const stop = async () => {
    server.kill()
    await once(server, 'exit')
  }
  const isUp = () =>
    fetch(`${url}/api/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  const until = Date.now() + STARTS_WITHIN_MS
  while (!(await isUp())) {
    if (Date.now() > until || server.exitCode !== null) throw new Error('The demo server did not start')
    await sleep(250)
  }
  return { url, stop, serial: () => /^ +(2[\d ]+?) +active$/m.exec(printed)?.[1] ?? '' }
}

/** A browser in Singapore, to which the portal's storage is promised: a picture is of the portal, not of this browser. */
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

/** By hand, as a person does: the demo's accounts have one password. */
export async function signInToDemo(page: Page, account: string): Promise<void> {
  await page.goto('/login')
  if (!account.includes('@')) await page.getByRole('link', { name: 'Point of sale' }).click()
  await page.getByLabel(account.includes('@') ? 'Email' : 'Username').fill(account)
  await page.getByLabel('Password', { exact: true }).fill('Demo-Portal-2026!')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
}
