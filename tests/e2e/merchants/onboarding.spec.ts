import type { Page } from '@playwright/test'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import { fillLogin, readyOffline, logIn } from '../../support/accounts/logIn.ts'
import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test, testWithWorker, watchPages } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, makePosUser, type Merchant } from '../../support/database/builders.ts'
import { changeRows, deleteRows, rowsOf } from '../../support/database/rows.ts'
import { expectDraftStored } from '../../support/devices/storage.ts'
import {
  button,
  fillOnboarding,
  fillWeek,
  submitForReview,
  submitOnboarding,
} from '../../support/merchants/onboardingForm.ts'
import { newestReviewLink } from '../../support/merchants/reviewPage.ts'
import { encryptedPdf, makePdf } from '../../support/uploads/makePdf.ts'

const MINUTE = 60_000

/** Makes a merchant who has logged in for the first time and was led to the form. */
async function atForm(page: Page, origin: PortalOrigin): Promise<Merchant> {
  const merchant = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation')
  await logIn(page, merchant.main)
  await formOpen(page)
  return merchant
}

async function formOpen(page: Page) {
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByRole('heading', { name: '1. Organisation' })).toBeVisible()
  await expect(page.getByRole('group', { name: 'Product or service' }).getByRole('checkbox').first()).toBeVisible()
}

/** Sets the status that the provider's decision gives to the account. */
async function setStatus({ database }: PortalOrigin, { organisation: { id } }: Merchant, status: AccountStatus) {
  await changeRows(database.db, 'organisation', { id }, { status })
  await changeRows(database.db, 'app_user', { organisationId: id }, { status })
}

const reviewsOf = ({ database }: PortalOrigin, { organisation: { id } }: Merchant) =>
  rowsOf(database.db, 'review', { organisationId: id })

const rail = (page: Page) => page.getByRole('navigation', { name: 'Sections' })
const errorSummary = (page: Page) => page.getByRole('heading', { name: /^Fix \d+ fields to continue$/ })
const inAccount = (page: Page) => page.getByText(/^Saved to your account, \d\d:\d\d$/).first()
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

test('what was typed survives a reload, a timeout and the next login of the same person @short', async ({
  page,
  origin,
}) => {
  await page.clock.install({ time: origin.clock.now() })
  const { main } = await atForm(page, origin)
  await field(page, 'Company registration number (UEN)').fill('201834567W')
  await page.getByRole('checkbox', { name: 'Monday' }).check()
  await field(page, 'Monday opens').fill('0900')
  await page.getByLabel('Same as primary contact').uncheck()
  await expectDraftStored(page, 'onboarding', '"same_contact":false')
  await expect(inAccount(page)).toBeVisible()

  const expectKept = async () => {
    await formOpen(page)
    await expect(page.getByText(/^This is your draft of/)).toBeVisible()
    await expect(field(page, 'Company registration number (UEN)')).toHaveValue('201834567W')
    await expect(field(page, 'Monday opens')).toHaveValue('09:00')
    await expect(page.getByLabel('Same as primary contact')).not.toBeChecked()
  }
  await page.reload()
  await expectKept()

  origin.clock.advance(14 * MINUTE)
  await page.clock.fastForward(14 * MINUTE)
  await expect(page.getByRole('alertdialog', { name: 'Are you still there?' })).toBeVisible()
  origin.clock.advance(2 * MINUTE)
  await page.clock.fastForward(2 * MINUTE)
  await expect(page).toHaveURL(/\/login/)
  await fillLogin(page, main)
  await expectKept()
})

test('Save and leave and Logout keep the draft in the account; a logout asks before it takes answers that are not there', async ({
  page,
  origin,
}) => {
  const { main } = await atForm(page, origin)
  const uen = field(page, 'Company registration number (UEN)')
  await uen.fill('201834567W')
  await button(page, 'Save and leave').click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your draft is saved to your account.')).toBeVisible()
  expect(origin.sent('GET', '/api/account/logout')).toHaveLength(1)

  await fillLogin(page, main)
  await formOpen(page)
  await expect(uen).toHaveValue('201834567W')
  await button(page, 'Logout').click()
  await expect(page).toHaveURL('/login')
  await fillLogin(page, main)
  await formOpen(page)
  await expect(uen).toHaveValue('201834567W')

  await origin.setConnection({ kind: 'refuse' })
  await uen.fill('53012345K')
  await expect(page.getByText('Saved on this device; waiting for the connection').first()).toBeVisible()
  await button(page, 'Logout').click()
  const question = page.getByRole('alertdialog', { name: 'Discard your last answers?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(uen).toHaveValue('53012345K')
  await button(page, 'Logout').click()
  await question.getByRole('button', { name: 'Discard and log out' }).click()
  await expect(page).toHaveURL('/login')
  await origin.setConnection({ kind: 'up' })
  await fillLogin(page, main)
  await formOpen(page)
  await expect(uen).toHaveValue('201834567W')
})

test('an onboarding begun on the phone, with its file, is finished on the laptop @short', async ({
  page,
  browser,
  origin,
}) => {
  const { main, organisation } = await atForm(page, origin)
  await fillOnboarding(page, { organisationName: 'Kopi & Grain Pte. Ltd.' })
  const draft = async () =>
    (await rowsOf(origin.database.db, 'onboarding_draft', { organisationId: organisation.id })).at(0)
  // The file comes last.
  await expect.poll(async () => (await draft())?.['merchantAgreement']).toBeTruthy()
  await expect(inAccount(page)).toBeVisible()

  const laptop = await browser.newContext()
  const watch = await watchPages(laptop, () => false)
  const there = await laptop.newPage()
  await logIn(there, main)
  await formOpen(there)
  await expect(there.getByText(/^This is your draft of/)).toBeVisible()
  await expect(there.getByRole('region', { name: 'What you will need' })).toHaveCount(0)
  await expect(field(there, 'Account number')).toHaveValue('001-234567-8')
  await expect(there.getByText('agreement.pdf', { exact: true })).toBeVisible()
  await submitOnboarding(there)
  expect(watch.complaints()).toEqual([])
  await laptop.close()
})

test('of two tabs that type at once, the second is told, and chooses', async ({ page, context, origin }) => {
  await atForm(page, origin)
  const second = await context.newPage()
  await second.goto('/onboarding')
  await formOpen(second)
  await field(page, 'Number of POS terminals').fill('12')
  await expect(inAccount(page)).toBeVisible()
  await field(second, 'Number of POS terminals').fill('14')
  const question = second.getByRole('alertdialog', { name: 'Which answers do you want to keep?' })
  await expect(question).toContainText('1 answer is different here.')
  await question.getByRole('button', { name: 'Decide later' }).click()
  await expect(second.getByText('Your account has other answers')).toBeVisible()
  await expectAccessibleAndFits(second)
  await button(second, 'Choose').click()
  await question.getByRole('button', { name: 'Keep the answers here' }).click()
  await expect(inAccount(second)).toBeVisible()

  await field(page, 'Number of POS terminals').fill('13')
  await page
    .getByRole('alertdialog', { name: 'Which answers do you want to keep?' })
    .getByRole('button', { name: 'Take those of the account' })
    .click()
  await expect(field(page, 'Number of POS terminals')).toHaveValue('14')
})

test('errors stand at their fields, in the rail and in a summary, and each leads to its place', async ({
  page,
  origin,
}) => {
  await atForm(page, origin)
  await field(page, 'Company registration number (UEN)').fill('2018')
  await field(page, 'Number of POS terminals').fill('twelve')
  await page.getByLabel('Same as primary contact').uncheck()
  await button(page, 'Check answers').click()
  await expect(errorSummary(page)).toBeFocused()
  const { y } = (await errorSummary(page).boundingBox())!
  const header = (await page.locator('header').first().boundingBox())!
  expect(y).toBeGreaterThanOrEqual(header.y + header.height)
  await expect(page.getByText('Number of POS terminals must be a number.').last()).toBeVisible()
  await expect(rail(page).getByRole('link', { name: /Branches and terminals/ })).toContainText('2 errors')
  await expect(page.getByText('7 of 7 sections to go, next: Organisation')).toBeVisible()
  expect(origin.sent('POST', '/api/merchant/onboarding')).toEqual([])

  await page.getByRole('link', { name: 'Financial contact: Name is required.' }).click()
  const financial = page.getByRole('group', { name: 'Financial contact' })
  await expect(financial.getByLabel('Name')).toBeFocused()
  await expect(rail(page).locator('[aria-current=step]')).toContainText('Contacts')
  await page.getByLabel('Same as primary contact').check()
  await expect(page.getByRole('link', { name: /^Financial contact/ })).toHaveCount(0)

  await rail(page)
    .getByRole('link', { name: /Organisation/ })
    .click()
  await expect(page.getByRole('heading', { name: '1. Organisation' })).toBeFocused()
  await expect(page).toHaveURL('/onboarding')
  await field(page, 'Company registration number (UEN)').fill('201834567W')
  await expect(rail(page).getByRole('link', { name: 'Organisation done' })).toBeVisible()
  await expect(page.getByText('6 of 7 sections to go, next: Product or service')).toBeVisible()
})

test('the week: times are read as they are typed, and a closing that is its opening is said at its row', async ({
  page,
  origin,
}) => {
  await atForm(page, origin)
  await button(page, 'Check answers').click()
  await expect(page.getByText('Operating hours must have at least one open day.').last()).toBeVisible()
  await fillWeek(page)
  await expect(page.getByText('Operating hours must have at least one open day.')).toHaveCount(0)
  await expect(field(page, 'Saturday opens')).toHaveValue('08:00')
  await expect(field(page, 'Saturday closes')).toHaveValue('21:30')
  await expect(field(page, 'Sunday opens')).toHaveCount(0)

  await field(page, 'Wednesday opens').fill('21.30')
  await field(page, 'Wednesday closes').fill('9.30 pm')
  await button(page, 'Check answers').click()
  const row = page.getByRole('listitem').filter({ has: field(page, 'Wednesday opens') })
  await expect(row).toContainText('Closing time must not be the opening time. The whole day is 00:00 to 24:00.')
  await expect(field(page, 'Wednesday closes')).toHaveValue('21:30')
  await expect(field(page, 'Wednesday closes')).toHaveAccessibleDescription(/must not be the opening time/)
  await page.getByRole('link', { name: /^Wednesday/ }).click()
  await expect(field(page, 'Wednesday closes')).toBeFocused()
  await field(page, 'Wednesday closes').fill('noon')
  await expect(row).toContainText('Closing time must be a time such as 08:30.')
  await field(page, 'Wednesday closes').fill('22:15')
  await expect(row).not.toContainText('must')
})

test('a bank of the list fills its code in; any other is typed', async ({ page, origin }) => {
  await atForm(page, origin)
  await field(page, 'Bank name').selectOption('OCBC Bank')
  await expect(field(page, 'Bank code')).toHaveValue('7339')
  await field(page, 'Bank name').selectOption('Other')
  await field(page, 'Bank name').fill('Bank of the Example')
  await field(page, 'Bank code').fill('9999')
  await expectDraftStored(page, 'onboarding', 'Bank of the Example')
  await page.reload()
  await expect(field(page, 'Bank name')).toHaveValue('Bank of the Example')
  await expect(field(page, 'Bank')).toHaveValue('Other')
})

test('a PDF that the provider could not take is refused before it is sent, with what to do', async ({
  page,
  origin,
}) => {
  await atForm(page, origin)
  const [plain, locked] = [Buffer.from(await makePdf()), Buffer.from(await encryptedPdf())]
  const cases = [
    [
      Buffer.concat([Buffer.from('Subject: x\r\n'), plain]),
      /has other data in front of the PDF\. Open it and print it to a new PDF\.$/,
    ],
    [
      Buffer.concat([plain, Buffer.alloc(2_000, 'x')]),
      /has other data behind the PDF\. Open it and print it to a new PDF\.$/,
    ],
    [locked, /must not be protected\. Save it without a password and without restrictions\.$/],
  ] as const
  for (const [buffer, words] of cases) {
    await page.locator('input[type=file]').setInputFiles({ name: 'signed.pdf', mimeType: 'application/pdf', buffer })
    await expect(page.locator('[data-error]').getByText(words)).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
  }
  // A file on a cloud drive may not come.
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
  })
  const file = { name: 'signed.pdf', mimeType: 'application/pdf', buffer: cases[0][0] }
  await page.locator('input[type=file]').setInputFiles(file)
  await expect(page.getByText('This file has changed or cannot be read. Choose it again.')).toBeVisible()
  expect(origin.requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('what only the server can know stands at its field, and nothing typed is lost', async ({ page, origin }) => {
  await atForm(page, origin)
  await fillOnboarding(page)
  await button(page, 'Check answers').click()
  await deleteRows(origin.database.db, 'upload')
  await button(page, 'Submit for review').click()
  await expect(page.getByRole('group', { name: 'Signed agreement' })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('group', { name: 'Signed agreement' }).getByRole('button').first()).toBeFocused()
  await expect(field(page, 'Number of POS terminals')).toHaveValue('12')
  await expect(rail(page).getByRole('link', { name: /Merchant agreement/ })).toContainText('1 error')
})

testWithWorker(
  'without a connection the form is filled in, and the last step says before the tap that it needs one',
  async ({ page, origin }) => {
    await atForm(page, origin)
    await fillOnboarding(page)
    await expectDraftStored(page, 'onboarding', 'agreement.pdf')
    await readyOffline(page)
    await page.reload()
    await formOpen(page)
    await origin.setConnection({ kind: 'refuse' })
    await page.reload()
    await formOpen(page)
    await expect(page.getByText('Submitting needs a connection. Your draft is kept.')).toBeVisible()
    await field(page, 'Number of POS terminals').fill('14')
    await button(page, 'Check answers').click()
    await expect(page.getByRole('heading', { name: 'Check before you submit' })).toBeVisible()
    await expect(button(page, 'Submit for review')).toHaveAttribute('aria-disabled', 'true')
    await expect(button(page, 'Submit for review')).toHaveAccessibleDescription(/needs a connection/)
    await origin.setConnection({ kind: 'up' })
    await expect(button(page, 'Submit for review')).not.toHaveAttribute('aria-disabled', 'true', { timeout: 40_000 })
    await submitForReview(page)
  },
)

test('a lost answer is asked for again and submits once @short', async ({ page, origin }) => {
  const merchant = await atForm(page, origin)
  await fillOnboarding(page)
  await button(page, 'Check answers').click()
  // Repeated, because Chromium itself resends a request whose kept-alive connection died before a byte came back, even a POST.
  void origin.loseAnswer(({ path, method }) => method === 'POST' && path === '/api/merchant/onboarding', 1_000)
  await button(page, 'Submit for review').click()
  await expect(page.getByText(/Your draft is kept\. Try again\./)).toBeVisible()
  await origin.restore()
  await expect(button(page, 'Submit for review')).not.toHaveAttribute('aria-disabled', 'true')
  await submitForReview(page)
  expect(await reviewsOf(origin, merchant)).toHaveLength(1)
})

test('WEB-03: a rejected merchant reads the reason as text, finds its answers, and submits again', async ({
  page,
  origin,
}) => {
  const hostile = '<img src=x onerror="document.title=1">'
  const merchant = await atForm(page, origin)
  await fillOnboarding(page, { organisationName: hostile })
  await submitOnboarding(page)
  const token = (await newestReviewLink(origin)).split('=')[1]
  const decision = { token, decision: 'reject', reason: `${hostile}\nSign page 14.` }
  const decided = await fetch(`${origin.url}/api/review/decide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(decision),
  })
  expect(decided.status).toBe(200)

  // A merchant who waits there is led on by the decision; one who comes back later reads the decision.
  await page.goto('/pending-authorisation')
  await expect(page).toHaveURL('/onboarding')
  await page.goto('/pending-authorisation')
  await expect(page.getByRole('heading', { name: 'Your onboarding needs changes' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to the onboarding' }).click()
  await formOpen(page)
  await expect(page.getByText('Authorisation Rejected')).toBeVisible()
  await expect(page.getByText(hostile, { exact: false })).toBeVisible()
  await expect(page.getByText('Sign page 14.')).toBeVisible()
  await expect(page.locator('main img')).toHaveCount(0)
  await expect(field(page, 'Organisation name per ACRA')).toHaveValue(hostile)
  await expect(field(page, 'Saturday closes')).toHaveValue('21:30')
  await expect(field(page, 'Bank name')).toHaveValue('DBS Bank')
  await expect(page.getByText('agreement.pdf', { exact: true })).toBeVisible()
  await field(page, 'Organisation name per ACRA').fill('Kopi & Grain Pte. Ltd.')
  await submitOnboarding(page)
  expect(await reviewsOf(origin, merchant)).toHaveLength(2)
})

test('who waits can ask, sees the approval by themselves and is led on', async ({ page, origin }) => {
  const merchant = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Authorisation')
  await logIn(page, merchant.main)
  await expect(page).toHaveURL('/pending-authorisation')
  await expect(page.getByText(merchant.main.loginName)).toBeVisible()
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText(/^No decision yet, as of \d\d:\d\d\.$/)).toBeVisible()
  await setStatus(origin, merchant, 'Active')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByRole('heading', { name: 'Your account is authorised' })).toBeVisible()
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('an answer that was asked for before the approval and comes after it does not take it back', async ({
  page,
  origin,
}) => {
  const merchant = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Authorisation')
  await logIn(page, merchant.main)
  await expect(page.getByText(merchant.main.loginName)).toBeVisible()
  const isStatus = (url: string) => url.endsWith('/api/account/my_info')
  await origin.setConnection({ kind: 'slow', bytesPerSecond: 200 }, ({ path }) => isStatus(path))
  const begun = page.waitForEvent('response', (response) => isStatus(response.url()))
  await page.getByRole('button', { name: 'Check now' }).click()
  const late = (await begun).finished()
  await origin.setConnection({ kind: 'up' })
  await setStatus(origin, merchant, 'Active')
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  const authorised = page.getByRole('heading', { name: 'Your account is authorised' })
  await expect(authorised).toBeVisible()
  await late
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve))))
  await expect(authorised).toBeVisible()
})

test('whoever has nothing to do on these pages is shown where to go', async ({ page, origin }) => {
  const pages = ['/onboarding', '/onboarding-submitted', '/pending-authorisation']
  for (const path of pages) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('link', { name: 'Login' })).toBeVisible()
  }
  const till = await makePosUser(origin.database.db)
  await logIn(page, till)
  for (const path of pages) {
    await page.goto(path)
    await expect(page.getByText('This account has no onboarding. There is nothing to do here.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Go to the start page' })).toHaveAttribute('href', '/redeem')
  }
  await page.goto('/onboarding-submitted')
  await expectAccessibleAndFits(page)
})

test('who has submitted nothing hears so, and gets to the form', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation')
  await logIn(page, main)
  for (const path of ['/onboarding-submitted', '/pending-authorisation']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Nothing is submitted yet' })).toBeVisible()
    await expect(page).toHaveURL(path)
  }
  await expectAccessibleAndFits(page)
  await page.getByRole('link', { name: 'Go to the onboarding' }).click()
  await formOpen(page)
})

test('the keyboard alone fills in a week, reaches every part and never loses the focus under the bar', async ({
  page,
  origin,
}) => {
  await atForm(page, origin)
  await page.getByRole('checkbox', { name: 'Monday' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Tab')
  await page.keyboard.type('8')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2130')
  await page.keyboard.press('Tab')
  await expect(button(page, 'Add a break on Monday')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button(page, 'Copy to all days')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page, 'Sunday closes')).toHaveValue('21:30')
  for (let stops = 0; stops < 70; stops += 1) {
    await page.keyboard.press('Tab')
    const under = await page.evaluate(() => {
      const [focused, bar] = [document.activeElement!, document.querySelector('[data-form-foot]')!]
      if (bar.contains(focused) || !focused.closest('form')) return false
      return focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
    })
    expect(under).toBe(false)
    if (await button(page, 'Check answers').evaluate((element) => element === document.activeElement)) break
  }
  await expect(button(page, 'Check answers')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(errorSummary(page)).toBeFocused()
})
