import { expect, type Page } from '@playwright/test'
import { makePdf } from '../uploads/makePdf.ts'

// Fills in /onboarding as a user does.

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const fieldGroup = (page: Page, name: string) => page.getByRole('group', { name, exact: true })

/** Sets Monday's hours for every day except Sunday. */
export async function fillWeek(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Monday' }).check()
  await page.getByLabel('Monday opens').fill('8')
  await page.getByLabel('Monday closes').fill('2130')
  await button(page, 'Copy to all days').click()
  await page.getByRole('checkbox', { name: 'Sunday' }).uncheck()
}

/** Fills in one contact for both, with the email of the login, or a financial contact too. */
async function fillContacts(page: Page, financialToo: boolean): Promise<void> {
  const primary = fieldGroup(page, 'Primary contact')
  await primary.getByLabel('Name').fill('Tan Mei Lin')
  await primary.getByLabel('Designation').fill('Operations Manager')
  await primary.getByLabel('Contact number').fill('+65 6555 0140')
  if (!financialToo) return
  await primary.getByLabel('Email').fill('meilin@kopi.example')
  await page.getByLabel('Same as primary contact').uncheck()
  const financial = fieldGroup(page, 'Financial contact')
  await financial.getByLabel('Name').fill('Nadia Rahim')
  await financial.getByLabel('Email').fill('nadia@kopi.example')
}

async function fillBank(page: Page): Promise<void> {
  await page.getByLabel('Account number').fill('001-234567-8')
  await page.getByLabel('Bank name').selectOption('DBS Bank')
  await page.getByLabel('Branch code').fill('001')
}

/** Chooses a PDF and waits until it is uploaded. */
async function uploadAgreement(page: Page, name = 'agreement.pdf'): Promise<void> {
  const buffer = Buffer.from(await makePdf())
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  await expect(page.getByText(/, uploaded$/)).toBeVisible()
}

/** Fills in every field that is not filled in already, with valid answers. */
export async function fillOnboarding(
  page: Page,
  { organisationName, financialContact = true }: { organisationName?: string; financialContact?: boolean } = {},
): Promise<void> {
  if (organisationName) await page.getByLabel('Organisation name per ACRA').fill(organisationName)
  await page.getByLabel('Company registration number (UEN)').fill('201834567w')
  await fieldGroup(page, 'Product or service').getByRole('checkbox').first().check()
  await fillWeek(page)
  await page.getByLabel('Number of branches in Singapore').fill('5')
  await page.getByLabel('Number of POS terminals').fill('12')
  await fillContacts(page, financialContact)
  await fillBank(page)
  await uploadAgreement(page)
}

/** Submits the filled form, through the summary to the page after it. */
export async function submitOnboarding(page: Page): Promise<void> {
  await button(page, 'Check answers').click()
  await submitForReview(page)
}

/** Submits from the summary. The server first reads the agreement in a process of its own. */
export async function submitForReview(page: Page): Promise<void> {
  await button(page, 'Submit for review').click()
  await expect(page).toHaveURL('/onboarding-submitted', { timeout: 30_000 })
}
