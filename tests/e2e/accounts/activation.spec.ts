import { createHash, randomBytes } from 'node:crypto'
import { logIn } from '../../support/accounts/logIn.ts'
import { button } from '../../support/accounts/loginPage.ts'
import { activate, heading } from '../../support/accounts/mfaPage.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makeUser, type User } from '../../support/database/builders.ts'
import { deleteRows, makeRow } from '../../support/database/rows.ts'

/** Fields of an account that was never activated. */
const NO_PASSWORD = { passwordHash: null, passwordChangedAt: null } as const

const ASK_AGAIN = /ask the person who manages your organisation’s account to send the activation email again/

/** Makes a master whom the main account has invited, without a password yet. */
async function makeInvited({ database }: PortalOrigin): Promise<User> {
  const { organisation } = await makeMerchant(database.db)
  const status = 'Pending Activation'
  return makeUser(database.db, 'Additional Merchant', { organisation }, { ...NO_PASSWORD, status })
}

test('an ad hoc merchant hears that the application is reviewed first', async ({ page, origin }) => {
  const { organisation } = await makeMerchant(origin.database.db, 'ADHOC Merchant', 'Pending')
  const applicant = { ...NO_PASSWORD, status: 'Pending' } as const
  const user = await makeUser(origin.database.db, 'ADHOC Merchant', { organisation }, applicant)
  await activate(page, await activationLink(origin, user))
  await expect(heading(page, 'Your password is set')).toBeFocused()
  await expect(page.getByText('Your application is being reviewed.')).toBeVisible()
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(heading(page, 'Login')).toBeVisible()
})

test('a link that was used, superseded, is too old or was cut short says so, and whom to ask', async ({
  page,
  origin,
}) => {
  const invited = await makeInvited(origin)
  const older = await activationLink(origin, invited)
  const old = await activationLink(origin, await makeInvited(origin))
  const newer = await activationLink(origin, invited)
  await activate(page, newer)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('button', { name: /Account menu/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  origin.clock.advance(7 * 86_400_000 + 1_000)
  for (const dead of [older, newer, old, `${origin.url}/login?step=activate#token=cut`]) {
    await page.goto(dead)
    await expect(heading(page, 'This link does not work')).toBeFocused()
    await expect(page.getByText(ASK_AGAIN)).toBeVisible()
  }
  // No administrator manages an applicant's account: only another application brings a new link.
  await expect(page.getByRole('link', { name: 'apply again' })).toHaveAttribute('href', '/register')
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'Back to login' }).click()
  await expect(page).toHaveURL('/login')
})

test('a browser in which somebody is logged in keeps them, and says what to do', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  const link = await activationLink(origin, await makeInvited(origin))
  await logIn(page, main)
  await page.goto(link)
  await expect(heading(page, 'Somebody is logged in here')).toBeFocused()
  await expect(page.getByText(main.loginName)).toBeVisible()
  await expectAccessibleAndFits(page)
  expect(origin.sent('POST', '/api/auth/set_new_password')).toEqual([])
  await page.goto('/vouchers')
  await expect(page.getByText('No voucher yet')).toBeVisible()

  await page.goto(link)
  await button(page, 'Logout').click()
  await expect(heading(page, 'Login')).toBeVisible()
  await activate(page, link)
  await expect(page).toHaveURL('/dashboard')
})

/** Makes the link of an activation email to `user`; earlier links are invalid from now on. */
async function activationLink({ database, clock, url }: PortalOrigin, user: Pick<User, 'id'>): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const link = { userId: user.id, kind: 'activation' }
  await deleteRows(database.db, 'password_link', link)
  await makeRow(database.db, 'password_link', {
    ...link,
    tokenHash: createHash('sha256').update(token).digest('hex'),
    createdAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 7 * 86_400_000),
  })
  return `${url}/login?step=activate#token=${token}`
}
