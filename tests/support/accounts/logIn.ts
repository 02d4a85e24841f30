import { randomUUID } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import type { myInfo } from '../../../src/contract/accounts/account.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import type { nameTill } from '../../../src/contract/redemptions/counter.ts'
import { readClaims } from '../../../src/domain/accounts/sessions.ts'
import { get, reply, send, tryToLogIn, type Ask, type Login } from '../api/portalClient.ts'
import { PASSWORD } from '../database/builders.ts'
import { signsOf, typeLikeScanner } from '../redemptions/handScanner.ts'

/**
 * Logs `user` in by an API call instead of the login page, and waits until the portal has let the user in. A cashier in a new browser also gets a
 * named till.
 */
export async function logIn(page: Page, user: Login, from = '/login'): Promise<void> {
  const { token, rows } = await beginSession(page, user)
  const stored = await page.addInitScript(
    ({ token, rows: { till, ...rows } }) => {
      const clock_offset_ms = token.issuedAt - Date.now()
      const baseUrls = { api: `${location.origin}/api`, reporting: `${location.origin}/reporting` }
      const auth = { ...rows.auth, session: { ...rows.auth.session, baseUrls } }
      // A code is asked for only after today, by Singapore time.
      const codeLater = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
      const device = till && { 'till-device': { ...till, codeLater } }
      const all = { auth, token: { token: token.token, clock_offset_ms }, 'last-action': Date.now(), ...device }
      for (const [key, value] of Object.entries(all)) localStorage.setItem(key, JSON.stringify(value))
    },
    { token, rows },
  )
  await page.goto(from)
  await stored.dispose()
  await waitUntilLetIn(page, user)
}

/** Logs in with the cookies of the page's browser. Returns the rest of what src/state/auth.ts stores. */
async function beginSession(page: Page, user: Login) {
  const ask: Ask = async (path, { method = 'GET', headers, body } = {}) => {
    // Retried, because a connection that the server has just closed may be used once more: ECONNRESET.
    const sent = { method, headers: headers as Record<string, string>, maxRetries: 2, ...(body ? { data: body } : {}) }
    const answer = await page.context().request.fetch(path, sent)
    return new Response(await answer.text(), { status: answer.status() })
  }
  const { data: login } = await tryToLogIn(ask, user)
  const { data: profile } = await get<AnswerOf<typeof myInfo>>(ask, '/api/account/my_info', login.access_token)
  const { session, user: person, permissions } = profile
  const issuedAt = readClaims(login.access_token)!.iat * 1000
  const isNewTill = user.loginKind === 'pos' && page.url() === 'about:blank'
  const till = isNewTill ? await makeTill(ask, login.access_token) : undefined
  return {
    token: { token: login.access_token, issuedAt },
    rows: { auth: { session, user: person, permissions, publicKey: login.public_key }, till },
  }
}

/** Names a till. Returns what src/state/counter.ts stores of it. */
async function makeTill(ask: Ask, token: string) {
  const guid = randomUUID()
  const { data } = await reply<AnswerOf<typeof nameTill>>(
    await send(ask, 'PUT', `/api/till/${guid}`, { token, body: { name: TILL } }),
  )
  return { guid, names: { [data.branch_guid]: data.name } }
}

const TILL = 'Till 2'

/** Logs in by hand, as a user would, and waits until the portal has let the user in. */
export async function logInByHand(page: Page, user: Login, from?: string): Promise<void> {
  const isPos = user.loginKind === 'pos'
  await page.goto(from ?? (isPos ? '/login?as=pos' : '/login'))
  await fillLogin(page, user)
}

/** Logs in on the login page that is open. */
export async function fillLogin(page: Page, user: Login): Promise<void> {
  const isPos = user.loginKind === 'pos'
  await page.getByLabel(isPos ? 'Username' : 'Email').fill(user.loginName)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await waitUntilLetIn(page, user)
}

async function waitUntilLetIn(page: Page, user: Login) {
  await page.waitForURL((url) => url.pathname !== '/login')
  if (user.loginKind === 'pos') await nameByHand(page)
}

/** Names the device by hand, which comes before its first voucher. */
async function nameByHand(page: Page): Promise<void> {
  // Exact, because "Username" contains "Name", and the address changes to the counter's before its screen is shown.
  const field = page.getByRole('textbox', { name: 'Name', exact: true })
  const counter = page.getByLabel('Or type the serial number')
  await expect(field.or(counter)).toBeVisible()
  if (await counter.isVisible()) return
  await field.fill(TILL)
  await page.getByRole('button', { name: 'Use this name' }).click()
  await page.getByRole('button', { name: 'Go to the counter' }).click()
  await expect(counter).toBeVisible()
}

/** Waits until the service worker has every file and serves this page. From then on the portal starts offline. */
export const readyOffline = (page: Page): Promise<void> => page.evaluate(workerServes)

/** Runs in the page. After a login the worker fetches the screens too. */
export async function workerServes(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  }
  if (!localStorage.getItem('token')?.includes('"token":"')) return
  const { port1, port2 } = new MessageChannel()
  const kept = new Promise((resolve) => (port1.onmessage = resolve))
  active?.postMessage({ type: 'KEEP', part: 'screens' }, [port2])
  await kept
}

/** Scans with a hand scanner on any screen. */
export async function scan(page: Page, code: string, seen: Locator): Promise<void> {
  await typeLikeScanner(page, signsOf(code))
  await expect(seen).toBeVisible()
}

/** Scans at the voucher table, which then shows only that code. */
export async function scanAtVouchers(page: Page, code: string): Promise<void> {
  await typeLikeScanner(page, signsOf(code))
  await expect(page).toHaveURL(`/vouchers?q=${encodeURIComponent(`"${code}"`)}`)
}
