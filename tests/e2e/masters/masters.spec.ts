import type { Page } from '@playwright/test'
import { enrolMfa } from '../../support/accounts/enrolMfa.ts'
import { logIn } from '../../support/accounts/logIn.ts'
import { freshEmail } from '../../support/api/forms.ts'
import { mailedTokens, mailsTo } from '../../support/api/mailbox.ts'
import { tryToLogIn } from '../../support/api/portalClient.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import {
  makeBranch,
  makeMerchant,
  makeUser,
  NEW_PASSWORD,
  PASSWORD,
  type Merchant,
} from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'

async function mainAtMasters(page: Page, origin: PortalOrigin) {
  const merchant = await makeMerchant(origin.database.db)
  await logIn(page, merchant.main, '/masters')
  await expect(page.getByRole('heading', { level: 1, name: 'Masters' })).toBeVisible()
  return merchant
}

const makeMaster = ({ database }: PortalOrigin, merchant: Merchant, name: string) =>
  makeUser(database.db, 'Additional Merchant', merchant, { name })

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, act: string) {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

test('a master is created, invited by mail, and invited again not before a minute has passed @short', async ({
  page,
  origin,
}) => {
  await mainAtMasters(page, origin)
  await expect(page.getByText('No master yet')).toBeVisible()
  await page.locator('[data-empty]').getByRole('link', { name: 'Create master' }).click()
  await expect(page).toHaveURL('/masters/create')
  await page.getByRole('button', { name: 'Create master' }).click()
  await expect(page.getByRole('alert')).toContainText('Fix 2 fields to continue')
  const email = freshEmail()
  await page.getByLabel('Name').fill('East Region')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Create master' }).click()
  await expect(page.getByText(`Activation email sent to ${email}`)).toBeVisible()
  await expect(rowOf(page, 'East Region')).toContainText('Pending Activation')
  await expect(page.getByText('1 of 5 are Active or Pending Activation.')).toBeVisible()
  expect(await mailsTo(origin.database.db, email)).toHaveLength(1)

  await page.getByRole('button', { name: 'Actions for East Region' }).click()
  const resend = page.getByRole('menuitem', { name: 'Resend activation email' })
  await expect(resend).toContainText('Sent just now')
  await expect(resend).toHaveAttribute('aria-disabled', 'true')
})

test('the limit is told before it is met, and in the words of the spec when it is', async ({ page, origin }) => {
  const merchant = await mainAtMasters(page, origin)
  for (const name of ['One', 'Two', 'Three', 'Four']) await makeMaster(origin, merchant, `Master ${name}`)
  const resting = await makeUser(origin.database.db, 'Additional Merchant', merchant, {
    name: 'Master Resting',
    status: 'Inactive',
  })
  await page.reload()
  await expect(page.getByText('4 of 5 are Active or Pending Activation.')).toBeVisible()
  await page.getByRole('link', { name: 'Create master' }).click()
  // The list also has a field of that name.
  await expect(page.getByRole('heading', { level: 1, name: 'Create master' })).toBeVisible()
  // Another user takes the last place while the form is being filled in.
  await makeMaster(origin, merchant, 'Master Five')
  await page.getByLabel('Name').fill('Master Six')
  await page.getByLabel('Email').fill(freshEmail())
  await page.getByRole('button', { name: 'Create master' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Account Limit Exceeded' })
  await expect(dialog).toContainText('Deactivate one before creating or reactivating another.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByLabel('Name')).toHaveValue('Master Six')

  await page.goto('/masters')
  await expect(page.getByText('5 of 5 are Active or Pending Activation.')).toBeVisible()
  await choose(page, 'Master Resting', 'Re-activate')
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Show Active masters' }).click()
  await expect(page).toHaveURL(/Active/)
  await expect(rowOf(page, 'Master Resting')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create master' }).click()
  await expect(dialog).toBeVisible()
  expect(await rowsOf(origin.database.db, 'app_user', { id: resting.id })).toMatchObject([{ status: 'Inactive' }])
})

test('a master is deactivated after a question that names what follows, and re-activated', async ({ page, origin }) => {
  const merchant = await mainAtMasters(page, origin)
  const master = await makeMaster(origin, merchant, 'East Region')
  await makeBranch(origin.database.db, merchant.organisation, { masterUserId: master.id })
  await page.reload()
  await choose(page, 'East Region', 'Deactivate')
  const dialog = page.getByRole('alertdialog', { name: 'Deactivate East Region?' })
  await expect(dialog).toContainText('Its branch falls back to the main account.')
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'East Region')).toContainText('Active')
  await choose(page, 'East Region', 'Deactivate')
  await dialog.getByRole('button', { name: 'Deactivate master' }).click()
  await expect(page.getByText('East Region deactivated')).toBeVisible()
  await expect(rowOf(page, 'East Region')).toContainText('Inactive')
  await choose(page, 'East Region', 'Re-activate')
  await expect(page.getByText('East Region re-activated')).toBeVisible()
  await expect(page.getByText('1 of 5 are Active or Pending Activation.')).toBeVisible()
})

test('the main account sets the password of a master, which the master replaces at its next login', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db)
  const master = await makeMaster(origin, merchant, 'East Region')
  await logIn(page, merchant.main, `/masters/${master.id}/edit`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Set password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set the password of East Region' })
  const own = dialog.getByLabel('Your own password', { exact: true })
  await expect(own).toBeFocused()
  await own.fill('Not-The-Password-1!')
  await dialog.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await dialog.getByLabel('Repeat new password').fill(NEW_PASSWORD)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Your own password is incorrect.')).toBeVisible()
  await expect(dialog.getByLabel('New password', { exact: true })).toHaveValue(NEW_PASSWORD)
  await own.fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password of East Region set')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  const next = await tryToLogIn(origin.ask, master, NEW_PASSWORD)
  expect(next.data).toMatchObject({ challenge: 'NEW_PASSWORD' })
})

test('the login email of a master moves when the link to the new address is followed, and not before', async ({
  page,
  origin,
}) => {
  const { db } = origin.database
  const merchant = await makeMerchant(db)
  const master = await makeMaster(origin, merchant, 'East Region')
  await logIn(page, merchant.main, `/masters/${master.id}/edit`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change login email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the login email of East Region' })
  const to = dialog.getByLabel('New email')
  await expect(to).toBeFocused()
  await to.fill(merchant.main.loginName)
  await dialog.getByLabel('Your own password', { exact: true }).fill(PASSWORD)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('New email is taken.')).toBeVisible()
  const email = freshEmail()
  await to.fill(email)
  // MFA was set up on another device meanwhile: the server asks for a code, and so does the dialog.
  const { recoveryCodes } = await enrolMfa(db, merchant.main)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog.getByText('Your authenticator app asks for a code too.')).toBeVisible()
  await dialog.getByLabel('Code').fill(recoveryCodes[0]!)
  await dialog.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByText(`Link sent to ${email}`)).toBeVisible()

  const [token] = await mailedTokens(db, email, 'email_change')
  const link = `/login?step=email#token=${token}`
  const mailProgram = await page.context().browser()!.newPage({ baseURL: origin.url })
  await mailProgram.goto(link)
  await expect(mailProgram.getByRole('heading', { name: 'Confirm your new login email' })).toBeVisible()
  await expectNoAxeViolations(mailProgram)
  const login = async () => (await rowsOf(db, 'app_user', { id: master.id }))[0]?.['loginName']
  expect(await login()).toBe(master.loginName)
  await mailProgram.getByRole('button', { name: 'Confirm' }).click()
  await expect(mailProgram.getByText(`From now on you log in as ${email}.`)).toBeVisible()
  expect(await login()).toBe(email)

  await mailProgram.goto('/login')
  await mailProgram.goto(link)
  await expect(mailProgram.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await mailProgram.close()
  await page.reload()
  await expect(page.getByLabel('Email')).toHaveValue(email)
})
