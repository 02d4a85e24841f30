import { expect, type Locator, type Page } from '@playwright/test'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { deleteRows } from '../database/rows.ts'
import { makeImage } from '../uploads/makeImage.ts'

type ChosenFile = Awaited<ReturnType<typeof imageFile>>

/** Makes a picture of this size, as a file that a user chooses. */
export async function imageFile(name: string, size: Parameters<typeof makeImage>[0]) {
  return { name, mimeType: 'image/png', buffer: Buffer.from(await makeImage(size)) }
}

export const goodLogo = () => imageFile('logo.png', { width: 160, height: 107 })

export const brandDialog = (page: Page): Locator => page.getByRole('dialog')

export async function openNewBrand(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Add brand' }).click()
  await expect(brandDialog(page)).toBeVisible()
  return brandDialog(page)
}

type TypedBrand = Record<'name' | 'email', string>

/** Fills in the open dialog, except for the logo. */
export async function fillBrand(dialog: Locator, { name, email }: TypedBrand): Promise<void> {
  await dialog.getByLabel('Brand name').fill(name)
  await dialog.getByLabel('Industry type').selectOption('Food and beverage')
  await dialog.getByLabel('Number of outlets taking part').fill('3')
  await dialog.getByLabel('PC/laptop with internet').check()
  await dialog.getByLabel('Contact person').fill('Tan Mei Lin')
  await dialog.getByLabel('Designation').fill('Manager')
  await dialog.getByLabel('Contact number').fill('+65 6555 0140')
  await dialog.getByLabel('Contact email').fill(email)
}

/** Chooses the file and waits until it is uploaded. */
export async function uploadLogo(dialog: Locator, file: ChosenFile): Promise<void> {
  await dialog.locator('input[type=file]').setInputFiles(file)
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
}

export async function addBrand(page: Page, brand: TypedBrand): Promise<void> {
  const dialog = await openNewBrand(page)
  await fillBrand(dialog, brand)
  await uploadLogo(dialog, await goodLogo())
  await dialog.getByRole('button', { name: 'Add brand' }).click()
  await expect(dialog).toHaveCount(0)
}

/** Fills in the application, except for its brands and the terms. */
export async function fillApplication(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Organisation name').fill('Kopi & Grain Pte. Ltd.')
  await page.getByLabel('Office address').fill('4 Tampines Central 5, #02-14')
  await page.getByLabel('Postal code').fill('529510')
  await page.getByLabel('Yes', { exact: true }).check()
  await page.getByLabel('Credit terms in days').fill('30')
}

export const acceptTerms = (page: Page): Promise<void> => page.getByLabel(/^I accept the Terms/).check()

export const submitApplication = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Submit application' }).click()

/** Fills in every field of the application with valid answers. */
export async function fillWholeApplication(page: Page, email: string, type: 'hrp' | 'adhoc' = 'hrp'): Promise<void> {
  await page.goto(`/register?type=${type}`)
  await fillApplication(page, email)
  await addBrand(page, { name: 'Kopi', email: 'kopi@kopi.example' })
  await acceptTerms(page)
}

/** The heading shown after the submission. */
export const SENT_HEADING = { name: 'Check your email' }
/** The answer comes after a proof of work, which takes long on a busy machine. */
export const SLOW_ANSWER = { timeout: 30_000 }

/** Clears the throttles: all tests of a server share one address, which would soon have too many uploads. */
export const clearThrottles = ({ database }: PortalOrigin): Promise<void> => deleteRows(database.db, 'throttle')
