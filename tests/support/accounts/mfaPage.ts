import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makeMerchant, NEW_PASSWORD } from '../database/builders.ts'
import { enrolMfa } from './enrolMfa.ts'
import { button, field, fillNew, submitLogin } from './loginPage.ts'

export const code = (page: Page) => field(page, '6-digit code')

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** A user whose logins ask for a code. */
export type Person = Awaited<ReturnType<typeof makeEnrolled>>

/** Makes a main merchant with an active authenticator app. */
export async function makeEnrolled(origin: PortalOrigin) {
  const { main } = await makeMerchant(origin.database.db)
  const { totp, recoveryCodes } = await enrolMfa(origin.database.db, main)
  return { user: main, phone: authenticatorApp(totp.secret, origin), recoveryCodes }
}

/** Logs in until the page asks for the code. */
export async function openCodeStep(page: Page, { user }: Person, from = '/login') {
  await page.goto(from)
  await submitLogin(page, user.loginName)
  await expect(heading(page, 'Enter your code')).toBeVisible()
  await expect(code(page)).toBeFocused()
}

export async function logInWithCode(page: Page, person: Person) {
  await openCodeStep(page, person)
  await code(page).fill(person.phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
}

/** Returns the secret key that is shown, without its spaces. */
export async function shownSecret(page: Page): Promise<string> {
  return (await field(page, 'Secret key, if you cannot scan').inputValue()).replaceAll(' ', '')
}

export const shownCodes = (page: Page) =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

export async function logOut(page: Page) {
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
}

type AuthenticatorApp = ReturnType<typeof authenticatorApp>

const STEP_MS = 30_000

/** Makes an authenticator app that uses the server's time. */
export function authenticatorApp(secret: Secret | string, { clock }: Pick<PortalOrigin, 'clock'>) {
  const totp = new TOTP({ secret: typeof secret === 'string' ? Secret.fromBase32(secret) : secret })
  const at = (steps: number) => totp.generate({ timestamp: clock.now().getTime() + steps * STEP_MS })
  return {
    /** Moves the clock to the next code and returns it. */
    nextCode() {
      // The server takes no code twice, and none older than the last.
      clock.advance(STEP_MS)
      return at(0)
    },
    /** Returns six digits that are not a code at this time. */
    wrongCode() {
      const near = [-2, -1, 0, 1, 2].map(at)
      return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
    },
  }
}

/** Opens an activation link and sets NEW_PASSWORD. */
export async function activate(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await expect(heading(page, 'Set your password')).toBeFocused()
  await fillNew(page, NEW_PASSWORD)
  await button(page, 'Set password').click()
}

/** Sets up an authenticator app on the page, saves the recovery codes and presses `Continue`, which logs in. */
export async function setUpAuthenticator(page: Page, origin: PortalOrigin): Promise<AuthenticatorApp> {
  await expect(heading(page, 'Set up your authenticator app')).toBeFocused()
  const phone = authenticatorApp(await shownSecret(page), origin)
  await code(page).fill(phone.nextCode())
  await field(page, 'I have saved these codes').check()
  await button(page, 'Continue').click()
  return phone
}
