import type { Page } from '@playwright/test'
import { button, field, submitLogin } from '../../support/accounts/loginPage.ts'
import {
  authenticatorApp,
  code,
  logOut,
  makeEnrolled,
  openCodeStep,
  shownCodes,
  shownSecret,
  logInWithCode,
} from '../../support/accounts/mfaPage.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeMerchant, PASSWORD } from '../../support/database/builders.ts'

const row = (page: Page) => page.getByText(/^(On since|Off\.)/)
const dialog = (page: Page) => page.getByRole('dialog')
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })

async function finish(page: Page): Promise<string[]> {
  await expect(dialog(page)).toContainText('Save your recovery codes')
  const codes = await shownCodes(page)
  expect(codes).toHaveLength(10)
  // The codes are shown once: neither Escape nor a hasty press may lose them.
  await page.keyboard.press('Escape')
  await inDialog(page, 'Done').press('Enter')
  await expect(dialog(page)).toBeVisible()
  await field(page, 'I have saved these codes').check()
  await inDialog(page, 'Done').click()
  await expect(dialog(page)).toHaveCount(0)
  return codes
}

test('sets up an authenticator app where none is needed', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await page.goto('/login')
  await submitLogin(page, main.loginName)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/profile')
  await expect(row(page)).toHaveText('Off. Logging in needs only the password.')
  await button(page, 'Set up').click()
  await expect(field(page, 'Current password')).toBeFocused()
  await field(page, 'Current password').fill('Not-The-Password-1!')
  await inDialog(page, 'Continue').click()
  await expect(page.getByText('Current password is incorrect.')).toBeVisible()
  await field(page, 'Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(code(page)).toBeFocused()
  const phone = authenticatorApp(await shownSecret(page), origin)
  await expectAccessibleAndFits(page)
  await page.keyboard.type(phone.nextCode())
  await expectAccessibleAndFits(page)
  await finish(page)
  await expect(button(page, 'Change device')).toBeVisible()
  await expect(row(page)).toHaveText(/^On since \d+ \w+ \d{4}\. 10 recovery codes left\.$/)
  await logOut(page)
  await submitLogin(page, main.loginName)
  await code(page).fill(phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
})

for (const by of ['the code of the old one', 'a recovery code'] as const) {
  test(`changes the device with password and ${by}; the old one does not work any more`, async ({ page, origin }) => {
    const person = await makeEnrolled(origin)
    await logInWithCode(page, person)
    await page.goto('/profile')
    await button(page, 'Change device').click()
    await expect(field(page, 'Current password')).toBeFocused()
    await expectAccessibleAndFits(page)
    await inDialog(page, 'Continue').click()
    await expect(page.getByText('Fix 2 fields to continue')).toBeVisible()
    await field(page, 'Current password').fill(PASSWORD)
    await field(page, 'Code').fill(person.phone.wrongCode())
    await inDialog(page, 'Continue').click()
    await expect(page.getByText('Code is incorrect.', { exact: true })).toBeVisible()
    await expect(field(page, 'Code')).toBeFocused()
    await expect(field(page, 'Current password')).toHaveValue(PASSWORD)
    const proof = by === 'a recovery code' ? person.recoveryCodes[0]! : person.phone.nextCode()
    await field(page, 'Code').fill(proof)
    await inDialog(page, 'Continue').click()
    await expect(code(page)).toBeFocused()
    const phone = authenticatorApp(await shownSecret(page), origin)
    await code(page).fill(phone.nextCode())
    const [recovery = ''] = await finish(page)
    expect(person.recoveryCodes).not.toContain(recovery)
    await expect(button(page, 'Change device')).toBeFocused()

    await logOut(page)
    await submitLogin(page, person.user.loginName)
    await code(page).fill(person.phone.nextCode())
    await expect(page.getByText('6-digit code is incorrect.')).toBeVisible()
    await code(page).fill(phone.nextCode())
    await expect(page).toHaveURL('/dashboard')
  })
}

test('changes nothing when the change of device is given up or takes too long', async ({ page, origin }) => {
  const person = await makeEnrolled(origin)
  await logInWithCode(page, person)
  await page.goto('/profile')
  const begin = async () => {
    await field(page, 'Current password').fill(PASSWORD)
    await field(page, 'Code').fill(person.phone.nextCode())
    await inDialog(page, 'Continue').click()
    await expect(code(page)).toBeFocused()
  }
  await button(page, 'Change device').click()
  await begin()
  const phone = authenticatorApp(await shownSecret(page), origin)
  origin.clock.advance(11 * 60_000)
  await code(page).fill(phone.nextCode())
  await expect(page.getByText('This took too long or failed too often. Nothing was changed.')).toBeVisible()
  await expect(field(page, 'Current password')).toHaveValue('')
  await begin()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await logOut(page)
  await submitLogin(page, person.user.loginName)
  await code(page).fill(person.phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
})

test('makes new recovery codes; those before stop working', async ({ page, origin }) => {
  const person = await makeEnrolled(origin)
  await logInWithCode(page, person)
  await page.goto('/profile')
  await button(page, 'New recovery codes').click()
  await expect(field(page, 'Current password')).toBeFocused()
  await expectAccessibleAndFits(page)
  await field(page, 'Current password').fill(PASSWORD)
  await code(page).fill(person.phone.wrongCode())
  await inDialog(page, 'Make new codes').click()
  await expect(page.getByText('6-digit code is incorrect.')).toBeVisible()
  await code(page).fill(person.phone.nextCode())
  await inDialog(page, 'Make new codes').click()
  const [fresh = ''] = await finish(page)
  await logOut(page)
  await openCodeStep(page, person)
  await button(page, 'Use a recovery code instead').click()
  await field(page, 'Recovery code').fill(person.recoveryCodes[0]!)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Recovery code is incorrect.')).toBeVisible()
  await field(page, 'Recovery code').fill(fresh)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/profile')
  await expect(row(page)).toContainText('9 recovery codes left.')
})

test('leads to the logins of this account, the refused ones too', async ({ page, origin }) => {
  const person = await makeEnrolled(origin)
  await tryToLogIn(origin.ask, person.user, 'Not-The-Password-1!')
  await logInWithCode(page, person)
  await page.goto('/profile')
  await page.getByRole('region', { name: 'Security' }).getByRole('link', { name: 'Activity' }).click()
  const rows = page.getByRole('table').getByRole('row')
  await expect(rows.filter({ hasText: 'Failed login' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'Logged in' })).toHaveCount(1)
})

test('without a connection shows what it last knew and from when, and says what needs the connection', async ({
  page,
  origin,
}) => {
  const person = await makeEnrolled(origin)
  await logInWithCode(page, person)
  await page.goto('/profile')
  await expect(row(page)).toBeVisible()
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(row(page)).toBeVisible()
  await expect(page.getByText(/^As of /)).toBeVisible()
  await expect(page.getByText('Needs a connection.', { exact: true }).last()).toBeVisible()
  await expect(button(page, 'Change device')).toHaveAttribute('aria-disabled', 'true')
  await button(page, 'Change device').press('Enter')
  await expect(dialog(page)).toHaveCount(0)
  await expectAccessibleAndFits(page)
})
