import { readyOffline } from '../../support/accounts/logIn.ts'
import { expectNoAxeViolations } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker } from '../../support/browser/fixtures.ts'
import { OF_DEVICE, putRows, storedDraft } from '../../support/devices/storage.ts'
import {
  acceptTerms,
  addBrand,
  brandDialog,
  clearThrottles,
  fillApplication,
  fillBrand,
  goodLogo,
  openNewBrand,
  submitApplication,
  uploadLogo,
} from '../../support/merchants/applicationForm.ts'

const FORM = '/register?type=hrp'
const LONG = 'x'.repeat(101)

test.beforeEach(({ origin }) => clearThrottles(origin))

test('without a type, and with one that does not exist, the applicant chooses a role', async ({ page }) => {
  for (const address of ['/register', '/register?type=nonsense']) {
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: 'Create new account' })).toBeVisible()
  }
  await expectNoAxeViolations(page)
  await page.getByRole('link', { name: /ADHOC Merchant/ }).click()
  await expect(page).toHaveURL('/register?type=adhoc')
  await expect(page.getByText('Applying as ADHOC Merchant.')).toBeVisible()
  await page.getByRole('link', { name: 'Change' }).click()
  await page.getByRole('link', { name: /^HRP Merchant An/ }).click()
  await expect(page.getByText('Applying as HRP Merchant.')).toBeVisible()
})

test('an empty application says at each field what is missing, and its summary leads there', async ({ page }) => {
  await page.goto(FORM)
  await submitApplication(page)
  const summary = page.getByRole('alert')
  for (const words of [
    'Email is required.',
    'Organisation name is required.',
    'Office address is required.',
    'Postal code is required.',
    'You must add a Participating Merchant Brand to submit.',
    'HPB partnership is required.',
    'Credit terms in days are required.',
    'You must accept the Terms and Conditions.',
  ]) {
    await expect(summary.getByRole('link', { name: words })).toBeVisible()
    // Once in the summary and once at the field.
    await expect(page.getByText(words)).toHaveCount(2)
  }
  await expect(page.getByRole('heading', { name: 'Fix 8 fields to continue' })).toBeFocused()
  await expectNoAxeViolations(page)
  await summary.getByRole('link', { name: 'You must add a Participating' }).click()
  await expect(page.getByRole('button', { name: 'Add brand' })).toBeFocused()
  await summary.getByRole('link', { name: 'You must accept' }).click()
  await expect(page.getByLabel(/^I accept/)).toBeFocused()
  await summary.getByRole('link', { name: 'HPB partnership' }).click()
  await expect(page.getByLabel('Yes', { exact: true })).toBeFocused()
})

const RULES = [
  ['Email', 'not an email', 'Invalid email.'],
  ['Organisation name', 'ab', 'Organisation name must be at least 3 characters.'],
  ['Organisation name', LONG, 'Organisation name must be shorter than or equal to 100 characters.'],
  ['Website', 'http://', 'Invalid URL.'],
  ['Website', 'javascript:alert(1)', 'Invalid URL.'],
  ['Office address', 'x'.repeat(301), 'Office address must be shorter than or equal to 300 characters.'],
  ['Postal code', '52951o', 'Postal code must be digits.'],
  ['Postal code', '5295', 'Postal code must be exactly 6 digits.'],
  ['Credit terms in days', 'thirty', 'Credit terms in days must be a number.'],
  ['Credit terms in days', '7.5', 'Credit terms in days must be a number.'],
  ['Credit terms in days', '-1', 'Credit terms in days must be 0 or more.'],
  ['Credit terms in days', '366', 'Credit terms in days must be 365 or less.'],
] as const

test('each rule of the application is said on leaving the field, in the words of the spec, and goes when it is met', async ({
  page,
}) => {
  await page.goto(FORM)
  for (const [label, wrong, words] of RULES) {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(wrong)
    await field.blur()
    await expect(page.locator('[data-error]').getByText(words, { exact: true })).toBeVisible()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill('')
  }
  await page.getByLabel('Email', { exact: true }).fill('owner@kopi.example')
  await page.getByLabel('Credit terms in days').fill('30')
  await expect(page.getByText('must be')).toHaveCount(0)
})

const BRAND_RULES = [
  ['Brand name', LONG, 'Brand name must be shorter than or equal to 100 characters.'],
  ['Website', 'nowhere', 'Invalid URL.'],
  ['Number of outlets taking part', 'three', 'Number of outlets taking part must be a number.'],
  ['Number of outlets taking part', '-3', 'Number of outlets taking part must be 0 or more.'],
  ['Contact number', 'six five', 'Contact number must be digits.'],
  ['Contact email', 'not an email', 'Invalid email.'],
] as const

test('each rule of a brand is said in its dialog, at the field', async ({ page }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  await dialog.getByRole('button', { name: 'Add brand' }).click()
  for (const label of [
    'Brand name',
    'Logo',
    'Industry type',
    'Number of outlets taking part',
    'Cashier terminal types',
    'Contact person',
    'Designation',
    'Contact number',
    'Contact email',
  ]) {
    const verb = label.endsWith('types') ? 'are' : 'is'
    await expect(dialog.getByText(`${label} ${verb} required.`)).toHaveCount(2)
  }
  await expect(dialog.getByLabel('Brand name')).toBeFocused()
  await expectNoAxeViolations(page)
  for (const [label, wrong, words] of BRAND_RULES) {
    const field = dialog.getByLabel(label, { exact: true })
    await field.fill(wrong)
    await field.blur()
    await expect(dialog.locator('[data-error]').getByText(words, { exact: true })).toBeVisible()
  }
})

test('"All except listed" asks for the list, one outlet per line, and only then', async ({ page }) => {
  await page.goto(FORM)
  const dialog = await openNewBrand(page)
  const list = dialog.getByLabel('Outlets that do not take part')
  await expect(list).toHaveCount(0)
  await dialog.getByLabel('All except listed').check()
  await fillBrand(dialog, { name: 'Kopi', email: 'kopi@kopi.example' })
  await uploadLogo(dialog, await goodLogo())
  await dialog.getByRole('button', { name: 'Add brand' }).click()
  await expect(dialog.getByText('Outlets that do not take part are required.')).toBeVisible()
  await expect(list).toBeFocused()
  await list.fill(`Bedok Mall\n${LONG}`)
  await list.blur()
  await expect(
    dialog.getByText('Outlets that do not take part must be shorter than or equal to 100 characters.'),
  ).toBeVisible()
  await list.fill('Bedok Mall\n\n  Tampines Mall  ')
  await dialog.getByRole('button', { name: 'Add brand' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '3 outlets, all except listed' })).toBeVisible()
})

test('brands are added, edited and, after a question, removed; their contact emails differ', async ({ page }) => {
  await page.goto(FORM)
  await addBrand(page, { name: 'Kopi', email: 'kopi@kopi.example' })
  const row = page.getByRole('listitem').filter({ hasText: 'Kopi' })
  await expect(row).toContainText('3 outlets, all outlets')
  await expect(row).toContainText('PC/laptop with internet')
  await expect(row.locator('img')).toHaveAttribute('src', /^data:image/)
  // Saving the brand does not submit the application.
  await expect(page.getByRole('alert')).toHaveCount(0)

  const second = await openNewBrand(page)
  await fillBrand(second, { name: 'Grain', email: 'KOPI@kopi.example' })
  await uploadLogo(second, await goodLogo())
  await second.getByRole('button', { name: 'Add brand' }).click()
  await expect(second.getByText('Contact email must be unique per brand.')).toBeVisible()
  await expect(second.getByLabel('Contact email')).toBeFocused()
  await second.getByLabel('Contact email').fill('grain@kopi.example')
  await second.getByRole('button', { name: 'Add brand' }).click()
  await expect(second).toHaveCount(0)

  await page.getByRole('button', { name: 'Edit Kopi' }).click()
  await expect(brandDialog(page).getByLabel('Contact email')).toHaveValue('kopi@kopi.example')
  await brandDialog(page).getByLabel('Brand name').fill('Kopi House')
  await brandDialog(page).getByRole('button', { name: 'Save brand' }).click()
  await expect(page.getByRole('button', { name: 'Edit Kopi House' })).toBeFocused()

  await page.getByRole('button', { name: 'Remove Grain' }).click()
  const question = page.getByRole('alertdialog', { name: 'Remove Grain?' })
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText('Grain', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove Grain' }).click()
  await question.getByRole('button', { name: 'Remove brand' }).click()
  await expect(page.getByText('Grain', { exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add brand' })).toBeFocused()
})

test('an application with a brand is filled in with the keyboard alone', async ({ page }) => {
  await page.goto(FORM)
  const { keyboard } = page
  const type = async (...texts: string[]) => {
    for (const text of texts) {
      await keyboard.type(text)
      await keyboard.press('Tab')
    }
  }
  await page.getByLabel('Email', { exact: true }).focus()
  await type('owner@kopi.example', 'Kopi & Grain', '', '4 Tampines Central 5', '529510')
  await expect(page.getByRole('button', { name: 'Add brand' })).toBeFocused()
  await keyboard.press('Enter')
  const dialog = brandDialog(page)
  await expect(dialog.getByLabel('Brand name')).toBeFocused()
  await type('Kopi', '')
  const chooser = page.waitForEvent('filechooser')
  await expect(dialog.getByRole('button', { name: 'Choose file' })).toBeFocused()
  await keyboard.press('Enter')
  await (await chooser).setFiles(await goodLogo())
  await expect(dialog.getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })
  await expect(dialog.getByRole('button', { name: 'Replace' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await type('Food')
  await keyboard.press('ArrowDown')
  await expect(dialog.getByLabel('All except listed')).toBeChecked()
  await keyboard.press('Tab')
  await type('Bedok Mall', '3')
  await keyboard.press('Space')
  for (let box = 0; box < 3; box += 1) await keyboard.press('Tab')
  await type('Tan Mei Lin', 'Manager', '65550140')
  await keyboard.type('kopi@kopi.example')
  await keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit Kopi' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add brand' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Space')
  await expect(page.getByLabel('Yes', { exact: true })).toBeChecked()
  await keyboard.press('Tab')
  await keyboard.type('30')
  for (let link = 0; link < 5; link += 1) await keyboard.press('Tab')
  await keyboard.press('Space')
  await expect(page.getByLabel(/^I accept/)).toBeChecked()
  await keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Submit application' })).toBeFocused()
})

testWithWorker(
  'what was typed, an open dialog included, survives a reload without a connection @short',
  async ({ page, origin }) => {
    await page.goto(FORM)
    await readyOffline(page)
    await fillApplication(page, 'owner@kopi.example')
    await addBrand(page, { name: 'Kopi', email: 'kopi@kopi.example' })
    await acceptTerms(page)
    const dialog = await openNewBrand(page)
    await dialog.getByLabel('Brand name').fill('Half a brand')
    await expect.poll(() => storedDraft(page, 'register.brand.new')).toContain('Half a brand')
    await expect.poll(() => storedDraft(page, 'register')).toContain('"editing":"new"')

    await origin.setConnection({ kind: 'refuse' })
    await page.reload()

    await expect(brandDialog(page).getByLabel('Brand name')).toHaveValue('Half a brand')
    await brandDialog(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText(/^This is your draft of/)).toBeVisible()
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue('owner@kopi.example')
    await expect(page.getByLabel('Office address')).toHaveValue('4 Tampines Central 5, #02-14')
    await expect(page.getByLabel('Credit terms in days')).toHaveValue('30')
    await expect(page.getByLabel('Yes', { exact: true })).toBeChecked()
    await expect(page.getByLabel(/^I accept/)).toBeChecked()
    const row = page.getByRole('listitem').filter({ hasText: 'Kopi' })
    await expect(row.locator('img')).toBeVisible()
    await expect(row).not.toContainText('required')
  },
)

test('who types without a pause is stored meanwhile, too', async ({ page }) => {
  await page.clock.install()
  await page.goto('/register?type=hrp')
  await page.getByLabel('Organisation name').fill('K')
  await expect.poll(() => storedDraft(page, 'register')).toContain('"organisation_name":"K"')
  await page.clock.pauseAt(Date.now() + 60_000)
  for (const key of 'opi and Grain of the East') {
    await page.keyboard.press(key)
    await page.clock.runFor(100)
  }
  await expect.poll(() => storedDraft(page, 'register')).toContain('Kopi and Grain')
})

testWithWorker(
  'without a connection everything is filled in, and uploading and submitting say what they need before the tap',
  async ({ page, origin }) => {
    await page.goto(FORM)
    await readyOffline(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await expect(page.getByText('Submitting needs a connection.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit application' })).toHaveAttribute('aria-disabled', 'true')
    const dialog = await openNewBrand(page)
    await expect(dialog.getByText('Uploading needs a connection.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Choose file' })).toHaveAttribute('aria-disabled', 'true')
    await fillBrand(dialog, { name: 'Kopi', email: 'kopi@kopi.example' })
    await dialog.getByRole('button', { name: 'Add brand' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Kopi' })
    await expect(row).toContainText('Logo is required.')
    await fillApplication(page, 'owner@kopi.example')
    await acceptTerms(page)

    await origin.setConnection({ kind: 'up' })
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await expect(page.getByText('Submitting needs a connection.')).toHaveCount(0)
    await submitApplication(page)
    await expect(page.locator('[data-error]').getByText('Kopi: Logo is required.')).toBeVisible()
    expect(origin.sent('POST', '/api/signup')).toEqual([])
    await page.getByRole('button', { name: 'Edit Kopi' }).click()
    await uploadLogo(brandDialog(page), await goodLogo())
    await brandDialog(page).getByRole('button', { name: 'Save brand' }).click()
    await expect(row).not.toContainText('required')
  },
)

test('a draft that was begun as the other kind of merchant keeps everything but that', async ({ page }) => {
  await page.goto(FORM)
  await fillApplication(page, 'owner@kopi.example')
  await expect.poll(() => storedDraft(page, 'register')).toContain('"credit_terms_days":"30"')
  await page.getByRole('link', { name: 'Change' }).click()
  await expect(page.getByText(/^There is a draft of .* on this device, as HRP Merchant\.$/)).toBeVisible()
  await page.getByRole('link', { name: /^ADHOC Merchant/ }).click()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('owner@kopi.example')
  await expect(page.getByText('Applying as ADHOC Merchant.')).toBeVisible()
  await expect.poll(() => storedDraft(page, 'register')).toContain('"role":"adhoc"')
  await page.goto('/register')
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/register?type=adhoc')
})

test('a draft that outlives a version of the terms has to accept the next one', async ({ page }) => {
  await page.goto(FORM)
  await fillApplication(page, 'owner@kopi.example')
  await acceptTerms(page)
  await expect.poll(() => storedDraft(page, 'register')).toContain('"terms_accepted":"1.0"')
  await changeDraft(page, (values) => ({ ...values, terms_accepted: '0.9' }))
  await page.reload()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue('owner@kopi.example')
  await expect(page.getByLabel(/^I accept/)).not.toBeChecked()
})

type Page = Parameters<typeof storedDraft>[0]
interface Kept extends Record<string, unknown> {
  brands: { id: string; values: Record<string, unknown> }[]
}

/** Rewrites the stored draft. Reload the page before typing on. */
async function changeDraft(page: Page, change: (values: Kept) => Kept): Promise<void> {
  const row = JSON.parse(await storedDraft(page, 'register')) as { values: Kept }
  await putRows(page, OF_DEVICE, 'drafts', [{ ...row, values: change(row.values) }])
}
