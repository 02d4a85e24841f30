import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { button, field, submitLogin } from '../../support/accounts/loginPage.ts'
import {
  authenticatorApp,
  code,
  heading,
  logOut,
  makeEnrolled,
  openCodeStep,
  shownCodes,
  shownSecret,
} from '../../support/accounts/mfaPage.ts'
import { post, tryToLogIn, type Challenged } from '../../support/api/portalClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, PASSWORD } from '../../support/database/builders.ts'
import { readQr } from './readQr.ts'

const RECOVERY_CODE = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/

/** Pastes through the clipboard, like text copied elsewhere. */
async function paste(page: Page, text: string) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('ControlOrMeta+V')
}

const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href)
const sessions = (origin: PortalOrigin) =>
  origin.requests.flatMap(({ body }) => /"(?:session|setup)":"([\w-]{43})"/.exec(body)?.[1] ?? [])

test.describe('a login that needs an authenticator app', () => {
  test('sets it up: scan or type, prove it, save the recovery codes, and log in with it from then on @short', async ({
    page,
    origin,
  }) => {
    origin.requireMfa()
    const { main } = await makeMerchant(origin.database.db)
    await page.goto('/login')
    await submitLogin(page, main.loginName)
    await expect(heading(page, 'Set up your authenticator app')).toBeFocused()

    const secret = await shownSecret(page)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const phone = authenticatorApp(secret, origin)
    await code(page).fill(phone.wrongCode())
    await expect(page.getByText('6-digit code is incorrect.')).toBeVisible()
    await expect(code(page)).toHaveValue('')
    await expect(code(page)).toBeFocused()
    await page.keyboard.type(phone.nextCode())

    await expect(heading(page, 'Save your recovery codes')).toBeFocused()
    const codes = await shownCodes(page)
    expect(codes).toHaveLength(10)
    for (const shown of codes) expect(shown).toMatch(RECOVERY_CODE)
    const downloading = page.waitForEvent('download')
    await button(page, 'Download').click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('recovery-codes.txt')
    const file = await readFile(await download.path(), 'utf8')
    expect(file).toContain(main.loginName)
    expect(file.trim().split('\n').slice(-10)).toEqual(codes)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(page, 'Copy').click()
    await expect(page.getByText('Copied.')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'))

    // The login is complete only after the codes are safe.
    await button(page, 'Continue').press('Enter')
    await expect(heading(page, 'Save your recovery codes')).toBeVisible()
    expect(await stored(page)).not.toContain(main.loginName)
    await field(page, 'I have saved these codes').check()
    await button(page, 'Continue').click()
    await expect(page).toHaveURL('/dashboard')

    await logOut(page)
    await submitLogin(page, main.loginName)
    await code(page).fill(phone.nextCode())
    await expect(page).toHaveURL('/dashboard')
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`shows a QR code that a camera can read, ${colorScheme}`, async ({ page, origin }) => {
      origin.requireMfa()
      await page.emulateMedia({ colorScheme })
      const { main } = await makeMerchant(origin.database.db)
      await page.goto('/login')
      await submitLogin(page, main.loginName)
      await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
      const url = new URL((await readQr(await page.screenshot())) ?? '')
      expect(url.protocol).toBe('otpauth:')
      expect(url.searchParams.get('secret')).toBe(await shownSecret(page))
      expect(decodeURIComponent(url.pathname)).toContain(main.loginName)
    })
  }

  test('begins with the login when the page is reloaded, keeps the secret that an app may have, and stores neither', async ({
    page,
    origin,
  }) => {
    origin.requireMfa()
    const { main } = await makeMerchant(origin.database.db)
    await page.goto('/login')
    await submitLogin(page, main.loginName)
    const secret = await shownSecret(page)
    const kept = await stored(page)
    expect(sessions(origin)).not.toEqual([])
    for (const session of [...sessions(origin), secret]) expect(kept).not.toContain(session)
    await page.reload()
    await expect(heading(page, 'Login')).toBeVisible()
    await submitLogin(page, main.loginName)
    await expect.poll(() => shownSecret(page)).toBe(secret)
    await code(page).fill(authenticatorApp(secret, origin).nextCode())
    await expect(heading(page, 'Save your recovery codes')).toBeVisible()
  })

  test('goes back to the login when it took too long, keeps the email and says why', async ({ page, origin }) => {
    origin.requireMfa()
    const { main } = await makeMerchant(origin.database.db)
    await page.goto('/login?redirect=%2Fvouchers')
    await submitLogin(page, main.loginName)
    const phone = authenticatorApp(await shownSecret(page), origin)
    origin.clock.advance(11 * 60_000)
    await code(page).fill(phone.nextCode())
    await expect(page.getByText('This took too long or failed too often. Please log in again.')).toBeVisible()
    await expect(field(page, 'Email')).toHaveValue(main.loginName)
    await expect(field(page, 'Password')).toHaveValue('')
    await expect(page).toHaveURL('/login?redirect=%2Fvouchers')
    await field(page, 'Password').fill(PASSWORD)
    await button(page, 'Login').click()
    await expect(heading(page, 'Set up your authenticator app')).toBeVisible()
  })
})

test.describe('a login with an authenticator app', () => {
  test('takes a code pasted with its blank, sends it by itself, and lands where the person was on the way to', async ({
    page,
    origin,
  }) => {
    const person = await makeEnrolled(origin)
    await openCodeStep(page, person, '/vouchers')
    // Lets a password manager or a phone fill in the code.
    await expect(code(page)).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(code(page)).toHaveAttribute('inputmode', 'numeric')
    const next = person.phone.nextCode()
    await paste(page, `${next.slice(0, 3)} ${next.slice(3)}`)
    await expect(page).toHaveURL('/vouchers')
    expect(origin.sent('POST', '/api/auth/verify_mfa')).toHaveLength(1)
  })

  test('says at the field that a code is wrong, clears it, and says nothing while the next is typed', async ({
    page,
    origin,
  }) => {
    const person = await makeEnrolled(origin)
    await openCodeStep(page, person)
    await code(page).fill(person.phone.wrongCode())
    await expect(page.getByText('6-digit code is incorrect.')).toBeVisible()
    await expect(code(page)).toHaveAttribute('aria-invalid', 'true')
    await expect(code(page)).toHaveValue('')
    await expect(code(page)).toBeFocused()
    await expectAccessibleAndFits(page)
    await page.keyboard.type('12')
    await expect(code(page)).not.toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByText('6-digit code must be exactly 6 digits.')).toBeVisible()
    await code(page).fill(person.phone.nextCode())
    await expect(page).toHaveURL('/dashboard')
  })

  test('AUT-18: is over after five wrong codes, and says so on the login', async ({ page, origin }) => {
    const person = await makeEnrolled(origin)
    await openCodeStep(page, person)
    for (let tries = 1; tries <= 5; tries += 1) {
      await code(page).fill(person.phone.wrongCode())
      await expect.poll(() => origin.sent('POST', '/api/auth/verify_mfa').at(-1)?.status).toBe(400)
      await expect(code(page)).toHaveValue('')
      expect(origin.sent('POST', '/api/auth/verify_mfa')).toHaveLength(tries)
    }
    await code(page).fill(person.phone.nextCode())
    await expect(page.getByText('This took too long or failed too often. Please log in again.')).toBeVisible()
    await expect(field(page, 'Email')).toHaveValue(person.user.loginName)
    await expect(page).toHaveURL('/login')
  })

  test('AUT-18: says how long to wait after ten wrong codes', async ({ page, origin }) => {
    const person = await makeEnrolled(origin)
    const ask = origin.ask
    for (let logins = 0; logins < 2; logins += 1) {
      const { data } = (await tryToLogIn(ask, person.user)) as unknown as { data: Challenged }
      for (let tries = 0; tries < 5; tries += 1) {
        await post(ask, '/api/auth/verify_mfa', { session: data.session, code: person.phone.wrongCode() })
      }
    }
    await openCodeStep(page, person)
    await code(page).fill(person.phone.nextCode())
    await expect(page.getByText(/Too many attempts\. Try again in \d+ minutes/)).toBeVisible()
    await expect(code(page)).toHaveValue('')
    await expectAccessibleAndFits(page)
    await button(page, 'Use a recovery code instead').click()
    await expect(field(page, 'Recovery code')).toBeFocused()
  })

  test('takes a recovery code instead, once', async ({ page, origin }) => {
    const person = await makeEnrolled(origin)
    const [first = ''] = person.recoveryCodes
    await openCodeStep(page, person)
    await button(page, 'Use a recovery code instead').click()
    await expect(field(page, 'Recovery code')).toBeFocused()
    await page.keyboard.type('not a code')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Recovery code is not a recovery code.')).toBeVisible()
    await expectAccessibleAndFits(page)
    await field(page, 'Recovery code').fill(first.toLowerCase().replaceAll('-', ' '))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard')

    await logOut(page)
    await openCodeStep(page, person)
    await button(page, 'Use a recovery code instead').click()
    await field(page, 'Recovery code').fill(first)
    await button(page, 'Verify').click()
    await expect(page.getByText('Recovery code is incorrect.')).toBeVisible()
    await button(page, 'Use the authenticator app instead').click()
    await expect(code(page)).toBeFocused()
    await code(page).fill(person.phone.nextCode())
    await expect(page).toHaveURL('/dashboard')
  })

  test('says that a code needs the connection, keeps it, and takes it when the connection is back', async ({
    page,
    origin,
  }) => {
    const person = await makeEnrolled(origin)
    await openCodeStep(page, person)
    await origin.setConnection({ kind: 'refuse' })
    const next = person.phone.nextCode()
    await code(page).fill(next)
    await expect(page.getByText('Checking a code needs a connection. What you typed is kept.')).toBeVisible()
    await expect(code(page)).toHaveValue(next)
    await origin.setConnection({ kind: 'up' })
    await button(page, 'Verify').click()
    await expect(page).toHaveURL('/dashboard')
  })

  test('does not ask a used code again when only the profile failed to come', async ({ page, origin }) => {
    const person = await makeEnrolled(origin)
    await openCodeStep(page, person)
    await origin.setConnection({ kind: 'unavailable' }, ({ path }) => path === '/api/account/my_info')
    await code(page).fill(person.phone.nextCode())
    await expect(page.getByText('Checking a code needs a connection. What you typed is kept.')).toBeVisible()
    await origin.setConnection({ kind: 'up' })
    await button(page, 'Verify').click()
    await expect(page).toHaveURL('/dashboard')
    expect(origin.sent('POST', '/api/auth/verify_mfa')).toHaveLength(1)
  })
})

test('the whole way in works with the keyboard alone, and every step is accessible and fits a phone', async ({
  page,
  origin,
}) => {
  origin.requireMfa()
  const { main } = await makeMerchant(origin.database.db)
  await page.goto('/login')
  await field(page, 'Email').focus()
  await page.keyboard.type(main.loginName)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Set up your authenticator app')).toBeFocused()
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectAccessibleAndFits(page)
  const phone = authenticatorApp(await shownSecret(page), origin)
  await heading(page, 'Set up your authenticator app').focus()
  await page.keyboard.press('Tab')
  await expect(field(page, 'Secret key, if you cannot scan')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(code(page)).toBeFocused()
  await page.keyboard.type(phone.nextCode())
  await expect(heading(page, 'Save your recovery codes')).toBeFocused()
  await expectAccessibleAndFits(page)
  await heading(page, 'Save your recovery codes').focus()
  for (let stops = 0; stops < 3; stops += 1) await page.keyboard.press('Tab')
  await expect(field(page, 'I have saved these codes')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})
