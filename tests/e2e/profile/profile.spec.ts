import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { logIn } from '../../support/accounts/logIn.ts'
import { button, field } from '../../support/accounts/loginPage.ts'
import { makeActors, type Signed } from '../../support/api/actors.ts'
import { organisationProfile } from '../../support/api/forms.ts'
import { loggedInClient } from '../../support/api/loggedInClient.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makeUser, type Merchant, type Organisation } from '../../support/database/builders.ts'
import { changeRows, deleteRows, makeRow } from '../../support/database/rows.ts'
import { expectDraftStored } from '../../support/devices/storage.ts'
import { imageFile } from '../../support/merchants/applicationForm.ts'

const RECIPIENTS = ['accounts@test.example', 'nadia@test.example']
const SAVED: Partial<Organisation> = {
  registrationNumber: '201912345R',
  address: '4 Tampines Central 5, Singapore 529510',
  contactName: 'Tan Wei Ling',
  contactNumber: '+65 6555 0100',
  contactEmail: 'office@test.example',
  summaryEnabled: true,
  summaryRecipients: RECIPIENTS,
}

const fillOrganisation = ({ database }: PortalOrigin, { id }: Organisation) =>
  changeRows(database.db, 'organisation', { id }, SAVED)

async function settledMerchant(origin: PortalOrigin, type?: 'ADHOC Merchant'): Promise<Merchant> {
  const merchant = await makeMerchant(origin.database.db, type)
  await fillOrganisation(origin, merchant.organisation)
  return merchant
}

/** Logs in and opens the form. */
async function atForm(page: Page, origin: PortalOrigin, merchant?: Merchant): Promise<Merchant> {
  const whose = merchant ?? (await settledMerchant(origin))
  await logIn(page, whose.main, '/profile/edit')
  await formOpen(page)
  return whose
}

const formOpen = (page: Page) => expect(button(page, 'Save changes')).toBeVisible()
const fact = (page: Page, name: string) =>
  page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]')
const recipientsField = (page: Page) => page.getByRole('textbox', { name: 'Recipients' })
const logoBox = (page: Page) => page.getByRole('group', { name: 'Company logo' })
const chooseLogo = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  logoBox(page).locator('input[type=file]').setInputFiles(file)
const arrived = (page: Page) => expect(logoBox(page).getByText(/, uploaded$/)).toBeVisible({ timeout: 20_000 })

async function save(page: Page) {
  await button(page, 'Save changes').click()
  // The message of a save a moment before may still be there.
  await expect(page.getByText('Profile saved', { exact: true }).last()).toBeVisible()
  await expect(page).toHaveURL(/\/profile(\?tab=details)?$/)
}

for (const type of ['HRP Merchant', 'ADHOC Merchant'] as const) {
  test(`${type}: the profile of the organisation is shown and edited, and the header follows${type === 'HRP Merchant' ? ' @short' : ''}`, async ({
    page,
    origin,
  }) => {
    const { main, organisation } = await settledMerchant(origin, type === 'ADHOC Merchant' ? type : undefined)
    await logIn(page, main, '/profile')
    await expect(fact(page, 'Company name')).toHaveText(organisation.name)
    await expect(fact(page, 'Registration number')).toHaveText('201912345R')
    await expect(fact(page, 'Address')).toHaveText(SAVED.address!)
    await expect(fact(page, 'Contact person')).toHaveText('Tan Wei Ling')
    await expect(fact(page, 'Contact number')).toHaveText('+65 6555 0100')
    await expect(fact(page, 'Contact email')).toHaveText('office@test.exampleCopy')
    await expect(fact(page, 'Company logo')).toHaveText('No logo')
    await expect(page.getByRole('region', { name: 'Voucher verification method' })).toContainText('Serial')
    await expect(page.getByRole('region', { name: 'Monthly summary report emails' })).toContainText(RECIPIENTS[1]!)
    await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()

    await page.getByRole('link', { name: 'Edit profile' }).click()
    const given = type === 'ADHOC Merchant' ? '53312345C' : '201912345R'
    if (type === 'ADHOC Merchant') {
      await field(page, 'Registration number').fill('5331')
      await field(page, 'Registration number').blur()
      await expect(page.getByText('Registration number must be 9 or 10 characters.').first()).toBeVisible()
      await field(page, 'Registration number').fill(given)
    } else await expect(field(page, 'Registration number')).toHaveAttribute('readonly', '')
    await field(page, 'Company name').fill('Kopi & Grain 2 Pte. Ltd.')
    await field(page, 'Contact number').fill('+65 6555 0199')
    await page.getByRole('radio', { name: /^Serial and branch PIN/ }).check()
    await page.getByRole('checkbox', { name: 'Send the report on the second day of each month' }).uncheck()
    await save(page)
    await expect(fact(page, 'Company name')).toHaveText('Kopi & Grain 2 Pte. Ltd.')
    await expect(fact(page, 'Registration number')).toHaveText(given)
    await expect(fact(page, 'Contact number')).toHaveText('+65 6555 0199')
    const method = page.getByRole('region', { name: 'Voucher verification method' })
    await expect(method).toContainText('Serial and branch PIN')
    await expect(page.getByRole('region', { name: 'Monthly summary report emails' })).toContainText('Off')
    await expect(page.getByRole('button', { name: 'Account menu' })).toContainText('Kopi & Grain 2 Pte. Ltd.')
  })
}

for (const [type, who] of [
  ['Additional Merchant', 'Additional'],
  ['Branch Merchant', 'Branch'],
] as const satisfies readonly (readonly [string, Signed])[]) {
  test(`${type}: sees the organisation as the main account saved it, and edits its own contact`, async ({
    page,
    origin,
  }) => {
    const { users, organisation } = await makeActors(origin.database.db)
    const ask = origin.ask
    const main = await loggedInClient(ask, users.HRP)
    const saved = await main.put(`/merchant/main/${users.HRP.id}`, organisationProfile(0))
    expect(saved.status).toBe(200)

    await logIn(page, users[who], '/profile?tab=details')
    await expect(fact(page, 'Company name')).toHaveText('Kopi & Grain Pte. Ltd.')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await fact(page, 'Merchant ID').getByRole('button', { name: 'Copy merchant ID' }).click()
    await expect(fact(page, 'Merchant ID')).toHaveText(`${organisation.merchantId}CopiedCopied.`)
    // Who speaks to the device says the word that is seen.
    await expect(button(page, 'Copied merchant ID')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(organisation.merchantId)
    await expect(fact(page, 'Contact person')).toHaveText('Not given')
    await expect(page.getByRole('region', { name: 'Monthly summary report emails' })).toContainText('a@test.example')
    await expectAccessibleAndFits(page)

    await page.getByRole('link', { name: 'Edit profile' }).click()
    await expect(field(page, 'Login email')).toHaveValue(users[who].loginName)
    await expect(field(page, 'Login email')).toHaveAttribute('readonly', '')
    await expect(field(page, 'Company name')).toHaveCount(0)
    await field(page, 'Name').fill('East Region')
    await button(page, 'Save changes').click()
    await expect(page.getByText('Contact person is required.').first()).toBeVisible()
    await expect(field(page, 'Contact person')).toBeFocused()
    await expectAccessibleAndFits(page)
    await field(page, 'Contact person').fill('Ravi Kumar')
    await field(page, 'Contact number').fill('+65 6555 0111')
    await save(page)
    await expect(fact(page, 'Name')).toHaveText('East Region')
    await expect(fact(page, 'Contact person')).toHaveText('Ravi Kumar')
    await expect(fact(page, 'Contact number')).toHaveText('+65 6555 0111')
  })
}

test('recipients are separated by commas only, and each is looked at', async ({ page, origin }) => {
  await atForm(page, origin)
  const input = recipientsField(page)
  await expect(input).toHaveValue(RECIPIENTS.join(', '))
  await input.fill('third@test.example; fourth@test.example')
  await input.press('Tab')
  await expect(page.getByText('Extra recipients are separated by commas only.', { exact: true })).toBeVisible()
  await expectAccessibleAndFits(page)
  await input.fill('third@test.example, nobody')
  await button(page, 'Save changes').click()
  await expect(page.getByText('Invalid email.', { exact: true })).toBeVisible()
  await expect(input).toBeFocused()
  expect(origin.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  await input.fill('Last@test.example,')
  await save(page)
  await expect(page.getByRole('list', { name: 'Recipients' }).getByRole('listitem')).toHaveText([
    SAVED.contactEmail!,
    'last@test.example',
  ])
})

test('the monthly summary says to whom it goes, and what was sent, waits or failed', async ({ page, origin }) => {
  const merchant = await settledMerchant(origin)
  const mail = (toAddress: string, given: object) =>
    makeRow(origin.database.db, 'mail_outbox', {
      id: randomUUID(),
      toAddress,
      kind: 'monthly_summary',
      subject: 'Monthly summary, Oct 2026',
      organisationId: merchant.organisation.id,
      month: '2026-10',
      createdAt: '2026-11-01T22:00:00Z',
      nextAt: '2027-01-01T00:00:00Z',
      giveUpAt: '2027-02-01T00:00:00Z',
      ...given,
    })
  await mail(SAVED.contactEmail!, { sentAt: '2026-11-01T22:05:00Z' })
  await mail(RECIPIENTS[0]!, { text: 'text', html: 'html' })
  await mail(RECIPIENTS[1]!, { lastError: '550' })
  await logIn(page, merchant.main, '/profile')
  const panel = page.getByRole('region', { name: 'Monthly summary report emails' })
  await expect(panel.getByRole('list', { name: 'Recipients' }).getByRole('listitem')).toHaveText([
    SAVED.contactEmail!,
    ...RECIPIENTS,
  ])
  await expect(panel.getByRole('list', { name: 'Summary of Oct 2026' }).getByRole('listitem')).toHaveText([
    `${RECIPIENTS[0]}: waiting since 2 Nov 2026, 06:00`,
    `${RECIPIENTS[1]}: failed, the mail server refused it (2 Nov 2026, 06:00)`,
    `${SAVED.contactEmail}: sent 2 Nov 2026, 06:05`,
  ])
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect(page.getByText(`We always send it to ${SAVED.contactEmail}`)).toBeVisible()
  await field(page, 'Contact email').fill('books@test.example')
  await expect(page.getByText('We always send it to books@test.example')).toBeVisible()
})

test('a stale save asks about what both have changed, and takes the rest as it was saved @short', async ({
  page,
  origin,
}) => {
  const merchant = await settledMerchant(origin)
  const second = await makeUser(origin.database.db, 'HRP Merchant', merchant)
  await atForm(page, origin, merchant)
  await field(page, 'Contact person').fill('Mine')
  await field(page, 'Contact number').fill('+65 6555 0222')
  const other = await loggedInClient(origin.ask, second)
  const theirs = { contact_name: 'Theirs', address: 'Their address', recipients: RECIPIENTS.join(',') }
  const saved = await other.put(`/merchant/main/${second.id}`, organisationProfile(0, theirs))
  expect(saved.status).toBe(200)

  await button(page, 'Save changes').click()
  const dialog = page.getByRole('alertdialog', { name: 'Somebody else saved this meanwhile' })
  await expect(dialog.getByRole('listitem')).toHaveText(['Contact person'])
  await expectAccessibleAndFits(page)
  await dialog.getByRole('button', { name: 'Discard mine' }).click()
  await expect(field(page, 'Contact person')).toHaveValue('Theirs')
  await expect(field(page, 'Address')).toHaveValue('Their address')
  await expect(field(page, 'Contact number')).toHaveValue('+65 6555 0222')
  await button(page, 'Save changes').click()
  await expect(page).toHaveURL('/profile')
  await expect(fact(page, 'Contact person')).toHaveText('Theirs')
  await expect(fact(page, 'Contact number')).toHaveText('+65 6555 0222')
  await expect(fact(page, 'Address')).toHaveText('Their address')
})

test('what was typed survives a reload, and Cancel asks before it is lost', async ({ page, origin }) => {
  const { main } = await atForm(page, origin)
  await field(page, 'Contact person').fill('Half typ')
  await recipientsField(page).fill('third@test.example,')
  await expectDraftStored(page, `profile/${main.id}`, 'third@test.example')
  await page.reload()
  await formOpen(page)
  await expect(page.getByText(/^This is your draft of/)).toBeVisible()
  await expect(field(page, 'Contact person')).toHaveValue('Half typ')
  await expect(recipientsField(page)).toHaveValue('third@test.example,')
  await expectAccessibleAndFits(page)
  await button(page, 'Cancel').click()
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL('/profile')
  await page.getByRole('link', { name: 'Edit profile' }).click()
  await expect(field(page, 'Contact person')).toHaveValue('Tan Wei Ling')
  await expect(page.getByText(/^This is your draft of/)).toHaveCount(0)
})

test('a logo that the server has swept away meanwhile is asked for again, at its field', async ({ page, origin }) => {
  const { main } = await atForm(page, origin)
  await chooseLogo(page, await imageFile('logo.png', { width: 90, height: 40 }))
  await arrived(page)
  await deleteRows(origin.database.db, 'upload', { userId: main.id })
  await button(page, 'Save changes').click()
  await expect(page.getByText('Company logo must be uploaded again.', { exact: true })).toBeVisible()
  await expect(logoBox(page).getByRole('button', { name: 'Replace' })).toBeFocused()
  await chooseLogo(page, await imageFile('again.png', { width: 90, height: 40 }))
  await expect(logoBox(page).getByText('again.png', { exact: true })).toBeVisible()
  await arrived(page)
  await save(page)
  await expect(page.getByRole('img', { name: 'Company logo' })).toBeVisible()
})

test('without a connection the profile is shown with its age, and Edit says what it needs before the tap', async ({
  page,
  origin,
}) => {
  const { main, organisation } = await settledMerchant(origin)
  await logIn(page, main, '/profile')
  await expect(fact(page, 'Company name')).toHaveText(organisation.name)
  await page.getByRole('link', { name: 'Vouchers', exact: true }).click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
  await origin.setConnection({ kind: 'refuse' })
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await expect(fact(page, 'Company name')).toHaveText(organisation.name)
  await expect(page.getByText(/This is as of \d\d:\d\d today\./)).toBeVisible()
  const edit = button(page, 'Edit profile')
  await expect(edit).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByText('Needs a connection.').first()).toBeVisible()
  await edit.press('Enter')
  await expect(page).toHaveURL('/profile')
  await expectAccessibleAndFits(page)
  await origin.setConnection({ kind: 'up' })
  await page.getByRole('button', { name: 'Try now' }).first().click()
  await expect(page.getByRole('link', { name: 'Edit profile' })).toBeVisible()
})
