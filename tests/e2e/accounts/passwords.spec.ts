import type { Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { button, DESK, field, fillNew, submitLogin, PHONE } from '../../support/accounts/loginPage.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import {
  expectAccessibleAndFits,
  expectNoAxeViolations,
  expectNoSidewaysScroll,
} from '../../support/browser/accessibility.ts'
import { expectAppTookOver } from '../../support/browser/firstScreen.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, PASSWORD } from '../../support/database/builders.ts'

const NEW = 'Quiet-Harbour-4417?'
/** Follows the login's own link and asks for a reset link. */
async function askForLink(page: Page, email: string) {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  // Waits for the heading: typing into the login before would cancel the press of the link.
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeFocused()
  await field(page, 'Email').fill(email)
  await button(page, 'Send link').click()
  await expect(page.getByText(`If there is an account for ${email}, a link is on its way.`)).toBeVisible()
}

/** Returns the newest of `count` mailed links; the mail is written after the answer. */
async function mailedLink({ database: { db } }: PortalOrigin, email: string, count = 1): Promise<string> {
  const mails = async () => (await mailsTo(db, email)).filter(({ kind }) => kind === 'reset')
  await expect.poll(async () => (await mails()).length).toBe(count)
  return /https?:\S+#token=[\w-]{43}/.exec((await mails()).at(-1)!.text!)![0]
}

async function openChange(page: Page, from?: string) {
  await page.goto(from ?? '/profile')
  await button(page, 'Change password').click()
  await expect(page.getByRole('dialog', { name: 'Change password' })).toBeVisible()
  return page.getByRole('dialog')
}

/** The row of the checklist, as a screen reader finds it. */
const rule = (page: Page, label: string) => page.getByRole('listitem').filter({ hasText: label })

test('a forgotten password: a link by mail, a new password, and a login with it @short', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.goto('/login')
  await field(page, 'Email').fill(main.loginName)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/login?step=forgot')
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeFocused()
  await expect(field(page, 'Email')).toHaveValue(main.loginName)
  await button(page, 'Send link').click()
  await expect(page.getByText('It works for 30 minutes.')).toBeVisible()

  const link = await mailedLink(origin, main.loginName)
  await page.goto(link)
  await expect(page).toHaveURL('/login?step=reset')
  const visited = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(visited.filter((url) => url?.includes('token'))).toEqual([])
  // For password managers: whose password it is, and how to make one.
  await expect(page.locator('form input[autocomplete=username]')).toHaveValue(main.loginName)
  await expect(field(page, 'New password')).toHaveAttribute('passwordrules', /^minlength: 12; .*required: \[-\]$/)
  await fillNew(page, NEW)
  await button(page, 'Set new password').click()

  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Password changed. Log in with the new one.')).toBeVisible()
  await submitLogin(page, main.loginName, PASSWORD)
  await expect(page.getByText('Email or password is incorrect.')).toBeVisible()
  await submitLogin(page, main.loginName, NEW)
  await expect(page).toHaveURL('/dashboard')

  const token = new URL(link).hash.replace('#token=', '')
  const told = origin.requests.filter(({ path, query, body }) => (path + query + body).includes(token))
  expect(told.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/auth/check_link',
    'POST /api/auth/confirm_forgot_password',
  ])
  expect(told.some(({ path, query }) => (path + query).includes(token))).toBe(false)
  expect(origin.requests.some(({ query, body }) => (query + body).includes(NEW))).toBe(false)
})

test('the notice of a changed password cannot be claimed by a link', async ({ page }) => {
  await page.goto('/login?passwordChanged=true')
  await expect(button(page, 'Login')).toBeVisible()
  await expect(page.getByText('Password changed.')).toHaveCount(0)
})

test('a link works once, a newer one ends an older one, and each says so and offers a new one', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await askForLink(page, main.loginName)
  const older = await mailedLink(origin, main.loginName)
  await button(page, 'Send another link').click()
  await expect(field(page, 'Email')).toHaveValue(main.loginName)
  await button(page, 'Send link').click()
  const newer = await mailedLink(origin, main.loginName, 2)

  // The old link is refused before the user thinks of a password.
  await page.goto(older)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeFocused()

  // Same tab and same path: only the fragment is new.
  await page.goto(newer)
  await fillNew(page, NEW)
  await button(page, 'Set new password').click()
  await expect(page.getByText('Password changed. Log in with the new one.')).toBeVisible()

  await page.goto(newer)
  await expect(page.getByText('It was used already, is older than 30 minutes')).toBeVisible()
  await page.getByRole('link', { name: 'Send a new link' }).click()
  await expect(page).toHaveURL('/login?step=forgot')
})

test('a link that a mail gateway has opened, with scripts, and changed on its way sets the password, and leaves the address', async ({
  page,
  context,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await askForLink(page, main.loginName)
  const link = await mailedLink(origin, main.loginName)
  const gateway = await context.newPage()
  await gateway.goto(link)
  await expect(field(gateway, 'New password')).toBeVisible()
  await gateway.close()
  await page.goto(`${link.replace('#', '%23')}&utm_source=mail`)
  await expect(page).toHaveURL('/login?step=reset')
  const visited = await page.evaluate(() => navigation.entries().map(({ url }) => url))
  expect(visited.filter((url) => url?.includes('token'))).toEqual([])
  await fillNew(page, NEW)
  await button(page, 'Set new password').click()
  await expect(page.getByText('Password changed. Log in with the new one.')).toBeVisible()
})

test('a page without its link says so', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await askForLink(page, main.loginName)
  await page.goto(await mailedLink(origin, main.loginName))
  await expect(field(page, 'New password')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Open the link again' })).toBeVisible()
  await expect(page.getByText('Perhaps your mail program has changed the link')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Send a new link' })).toBeVisible()
  await page.goto('/login?step=reset%23')
  await expect(page.getByText('Copy the whole address from the email into the address bar.')).toBeVisible()
  await expectAccessibleAndFits(page)
})

test('the checklist follows the typing; only the submit makes an error of it', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await askForLink(page, main.loginName)
  await page.goto(await mailedLink(origin, main.loginName))
  await expect(rule(page, '12 characters or more')).toHaveText('12 characters or more, not met yet')
  await field(page, 'New password').pressSequentially('Abcdef1!')
  await expect(rule(page, '12 characters or more')).toHaveText('12 characters or more, not met yet')
  await expect(rule(page, 'A digit')).toHaveText('A digit, met')
  await expect(rule(page, 'An upper case letter')).toHaveText('An upper case letter, met')
  await field(page, 'New password').press('Tab')
  await expect(field(page, 'New password')).not.toHaveAttribute('aria-invalid', 'true')

  await field(page, 'Repeat new password').fill('Abcdef1!')
  await button(page, 'Set new password').click()
  await expect(page.getByText('New password must be at least 12 characters.')).toBeVisible()
  await expect(field(page, 'New password')).toBeFocused()
  await field(page, 'New password').fill(NEW)
  await expect(rule(page, '12 characters or more')).toHaveText('12 characters or more, met')
  await expect(page.getByText('New password must be at least 12 characters.')).toHaveCount(0)

  await button(page, 'Set new password').click()
  await expect(page.getByText('Password does not match.')).toBeVisible()
  await expect(field(page, 'Repeat new password')).toBeFocused()
  await expectAccessibleAndFits(page)
  expect(origin.sent('POST', '/api/auth/confirm_forgot_password')).toEqual([])
})

test('a refusal of the server stands at the field, keeps what was typed, and leaves the link good', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await askForLink(page, main.loginName)
  await page.goto(await mailedLink(origin, main.loginName))
  for (const refused of ['Password1234!', PASSWORD]) {
    await fillNew(page, refused)
    await button(page, 'Set new password').click()
    await expect(field(page, 'New password')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'New password')).toBeFocused()
    await expect(field(page, 'Repeat new password')).toHaveValue(refused)
  }
  await expect(page.getByText('New password must not be one of the last 3 used.')).toBeVisible()
  await fillNew(page, NEW)
  await origin.setConnection({ kind: 'refuse' })
  await button(page, 'Set new password').click()
  await expect(page.getByText('Setting a password needs a connection. What you typed is kept.')).toBeVisible()
  await origin.setConnection({ kind: 'up' })
  await button(page, 'Set new password').click()
  await expect(page.getByText('Password changed. Log in with the new one.')).toBeVisible()
})

test('a mailed link works where the account is logged in, and ends its sessions everywhere', async ({
  page,
  browser,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  const other = await makeMerchant(origin.database.db)
  const elsewhere = await browser.newContext({ baseURL: origin.url })
  const nobody = await browser.newContext({ baseURL: origin.url })
  const stranger = await elsewhere.newPage()
  await logIn(stranger, other.main)
  await logIn(page, main)
  await askForLink(await nobody.newPage(), main.loginName)
  const link = await mailedLink(origin, main.loginName)

  // In the browser of another user, who stays logged in.
  await stranger.goto(link)
  await fillNew(stranger, NEW)
  await button(stranger, 'Set new password').click()
  await expect(stranger).toHaveURL('/dashboard')
  await expect(stranger.getByText('Password changed.')).toBeVisible()

  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page).toHaveURL('/login?redirect=%2Fvouchers')
  await submitLogin(page, main.loginName, NEW)
  await expect(page).toHaveURL('/vouchers')

  await askForLink(await nobody.newPage(), main.loginName)
  await page.goto(await mailedLink(origin, main.loginName, 2))
  await fillNew(page, `${NEW}2`)
  await button(page, 'Set new password').click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Password changed. Log in with the new one.')).toBeVisible()
  await elsewhere.close()
  await nobody.close()
})

test('a changed password keeps this session, and is the one to log in with from then on', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  const dialog = await openChange(page)
  await expect(field(page, 'Current password')).toBeFocused()
  await field(page, 'Current password').fill(PASSWORD)
  await fillNew(page, NEW)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed. Other devices were logged out.')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(button(page, 'Change password')).toBeFocused()
  expect(origin.sent('POST', '/api/merchant/change_password')).toHaveLength(1)

  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  const ask = origin.ask
  expect((await tryToLogIn(ask, main)).error).toBe('INVALID_CREDENTIALS')
  expect((await tryToLogIn(ask, main, NEW)).status).toBe(200)
  expect(origin.requests.some(({ query, body }) => (query + body).includes(NEW))).toBe(false)
})

test('a wrong current password is said at its field; the session and the typed words stay', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  await logIn(page, main)
  const dialog = await openChange(page)
  const change = dialog.getByRole('button', { name: 'Change password' })
  await field(page, 'Current password').fill('Not-The-Password-1!')
  await fillNew(page, NEW)
  await change.click()
  await expect(page.getByText('Current password is incorrect.')).toBeVisible()
  await expect(field(page, 'Current password')).toBeFocused()
  await expect(field(page, 'New password')).toHaveValue(NEW)
  await expectAccessibleAndFits(page)

  await field(page, 'Current password').fill(PASSWORD)
  await fillNew(page, PASSWORD)
  await change.click()
  await expect(page.getByText('New password must not be one of the last 3 used.')).toBeVisible()
  await expect(field(page, 'New password')).toBeFocused()

  await fillNew(page, main.loginName)
  await expect(rule(page, 'Not the email address')).toHaveText('Not the email address, not met yet')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('a throttled login says how long, for that account alone', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  const other = await makeMerchant(origin.database.db)
  const ask = origin.ask
  for (let failures = 0; failures < 5; failures += 1) await tryToLogIn(ask, main, 'Not-The-Password-1!')

  await page.goto('/login')
  await submitLogin(page, main.loginName, PASSWORD)
  await expect(page.getByText(/^Too many attempts\. Try again in \d+ seconds\.$/)).toBeVisible()
  await expect(field(page, 'Password')).toHaveValue(PASSWORD)
  await expectNoAxeViolations(page)
  origin.clock.advance(31_000)
  await submitLogin(page, other.main.loginName, PASSWORD)
  await expect(page).toHaveURL('/dashboard')
})

test('Caps Lock is named while a password is typed', async ({ page }) => {
  await page.goto('/login')
  const key = (on: boolean) =>
    field(page, 'Password').dispatchEvent('keydown', { key: 'A', modifierCapsLock: on, bubbles: true })
  // The drawn field handles no keys: only the app's own field reports Caps Lock.
  await expectAppTookOver(page)
  await field(page, 'Password').focus()
  await key(true)
  await expect(page.getByText('Caps Lock is on.')).toBeVisible()
  await key(false)
  await expect(page.getByText('Caps Lock is on.')).toHaveCount(0)
  await key(true)
  await field(page, 'Email').focus()
  await expect(page.getByText('Caps Lock is on.')).toHaveCount(0)
})

test('a password older than a year prompts, blocks nothing, and stays closed until the next login', async ({
  page,
  origin,
}) => {
  const { main } = await makeMerchant(origin.database.db)
  const prompt = page.getByText('Your password is more than one year old.')
  await logIn(page, main)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await expect(prompt).toHaveCount(0)

  await origin.database.db.execute(
    `UPDATE app_user SET password_changed_at = now() - interval '366 days' WHERE id = '${main.id}'`,
  )
  await page.reload()
  await expect(prompt).toBeVisible()
  await expectNoAxeViolations(page)
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.getByRole('link', { name: 'Change now' }).click()
  await expect(page).toHaveURL('/profile')
  await page.setViewportSize(DESK)
  await page.getByRole('main').getByRole('button', { name: 'Close' }).click()
  await expect(prompt).toHaveCount(0)
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await expect(prompt).toHaveCount(0)

  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, main)
  await expect(prompt).toBeVisible()

  const dialog = await openChange(page)
  await field(page, 'Current password').fill(PASSWORD)
  await fillNew(page, NEW)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed. Other devices were logged out.')).toBeVisible()
  await expect(prompt).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()
  await expect(prompt).toHaveCount(0)
})
