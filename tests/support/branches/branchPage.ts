import type { Page } from '@playwright/test'
import { business, financialContact, freshEmail } from '../api/forms.ts'
import { makeBranch, makeInvited, makeUser, type Branch, type Organisation, type User } from '../database/builders.ts'
import type { Db } from '../database/rows.ts'

/** Makes a branch with every answer of its form, and its login, invited or active. */
export async function makeWholeBranch(
  db: Db,
  organisation: Organisation,
  given: Partial<Branch> = {},
  login: 'Active' | 'Pending Activation' = 'Active',
): Promise<{ branch: Branch; login: User }> {
  const branch = await makeBranch(db, organisation, {
    business,
    financialContact,
    createdAt: new Date('2026-02-03T00:00:00Z'),
    ...given,
  })
  const owner = { organisation, branch }
  const account =
    login === 'Active' ? makeUser(db, 'Branch Merchant', owner) : makeInvited(db, 'Branch Merchant', owner, login)
  return { branch, login: await account }
}

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Opens the menu of a row and presses one of its items. */
export async function chooseFromRowMenu(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: act }).click()
}

/** Closes the dialog that asks for the first cashier of a new branch, and opens the details. */
export async function skipFirstCashier(page: Page): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('tab', { name: 'Details' }).click()
}

/** Fills in the form of a new branch, except for the fields that only some branches have. */
export async function fillBranch(page: Page, given: { name: string; code: string; email?: string; pin?: string }) {
  const { name, code, email = freshEmail(), pin = '482913' } = given
  await page.getByLabel('Branch name').fill(name)
  await page.getByLabel('Branch code').fill(code)
  await page.getByLabel('Address').fill(business.address)
  await page.getByLabel('Postal code').fill(business.postal_code)
  await page.getByLabel('Contact number').first().fill(business.contact_number)
  const contact = page.getByRole('group', { name: 'Financial contact' })
  await contact.getByLabel('Name').fill(financialContact.name)
  await contact.getByLabel('Email').fill(financialContact.email)
  await contact.getByLabel('Contact number').fill(financialContact.contact_number)
  await page.getByLabel('Login email').fill(email)
  await page.getByLabel('Set a PIN now').check()
  await page.getByRole('textbox', { name: 'Branch PIN' }).fill(pin)
  return { email }
}
