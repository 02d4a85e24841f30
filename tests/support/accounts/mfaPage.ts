import { expect, type Page } from '@playwright/test'
import { makeMerchant, type User } from '../database/builders.ts'
import { enrolMfa } from './enrolMfa.ts'
import { field, logIn } from './loginPage.ts'
import { type AuthenticatorApp, authenticatorApp } from '../phone.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'

export const code = (page: Page) => field(page, '6-digit code')
export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Somebody whose logins ask for a code. */
export interface Person {
  user: User
  phone: AuthenticatorApp
  recoveryCodes: string[]
}

/** A main merchant with an authenticator app in force. */
export async function makeEnrolled(origin: PortalOrigin): Promise<Person> {
  const { main } = await makeMerchant(origin.database.db)
  const { totp, recoveryCodes } = await enrolMfa(origin.database.db, main)
  return { user: main, phone: authenticatorApp(totp.secret, origin), recoveryCodes }
}

/** As far as the question for the code. */
export async function openCodeStep(page: Page, { user }: Person, from = '/login') {
  await page.goto(from)
  await logIn(page, user.loginName)
  await expect(heading(page, 'Enter your code')).toBeVisible()
  await expect(code(page)).toBeFocused()
}

export async function signInWithCode(page: Page, person: Person) {
  await openCodeStep(page, person)
  await code(page).fill(person.phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
}

/** The secret key as it is shown, without its blanks. */
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
