import { expect, type Page } from '@playwright/test'
import { NEW_PASSWORD } from './database/builders.ts'
import { button, field, fillNew } from './accounts/loginPage.ts'
import { type AuthenticatorApp, authenticatorApp } from './phone.ts'
import type { PortalOrigin } from './browser/portalOrigin.ts'
import { code, heading, shownSecret } from './accounts/mfaPage.ts'

/** Opens an activation link and sets the password it asks for: NEW_PASSWORD. */
export async function activate(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await expect(heading(page, 'Set your password')).toBeFocused()
  await fillNew(page, NEW_PASSWORD)
  await button(page, 'Set password').click()
}

/** Scans, proves and saves what the page asks for; `Continue` logs in. */
export async function setUpAuthenticator(page: Page, origin: PortalOrigin): Promise<AuthenticatorApp> {
  await expect(heading(page, 'Set up your authenticator app')).toBeFocused()
  const phone = authenticatorApp(await shownSecret(page), origin)
  await code(page).fill(phone.nextCode())
  await field(page, 'I have saved these codes').check()
  await button(page, 'Continue').click()
  return phone
}
