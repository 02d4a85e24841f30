import { expectAccessibleAndFits } from '../../support/browser/accessibility.ts'
import { expect, test } from '../../support/browser/fixtures.ts'
import { makeMerchant } from '../../support/database/builders.ts'
import { deleteRows, rowsOf } from '../../support/database/rows.ts'
import { storedDraft } from '../../support/devices/storage.ts'
import {
  acceptTerms,
  brandDialog,
  clearThrottles,
  fillWholeApplication,
  goodLogo,
  SENT_HEADING,
  SLOW_ANSWER,
  submitApplication,
  uploadLogo,
} from '../../support/merchants/applicationForm.ts'
import { linkInMail } from '../../support/merchants/reviewPage.ts'

test.beforeEach(({ origin }) => clearThrottles(origin))

test('SGN-01: an email that has an account gets the same screen', async ({ page, origin }) => {
  const { main } = await makeMerchant(origin.database.db)
  await fillWholeApplication(page, main.loginName)
  await submitApplication(page)
  await expect(page.getByRole('heading', SENT_HEADING)).toBeVisible(SLOW_ANSWER)
  await expect(page.getByText('Open it to confirm the email and to set your password.')).toBeVisible()
  await expect(page.getByText(main.loginName)).toBeVisible()
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expect(page.getByText(/^Sent again at \d\d:\d\d\. You can send it again from \d\d:\d\d\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send the email again' })).toHaveAttribute('aria-disabled', 'true')
  await linkInMail(origin, main.loginName, 'account_exists', 2)
  await expectAccessibleAndFits(page)
})

test('an answer that was lost is asked for again, and there is one application @short', async ({ page, origin }) => {
  const email = 'owner-lost@kopi.example'
  await fillWholeApplication(page, email)
  // Repeated, because the browser itself sends again when a kept-alive connection breaks.
  void origin.loseAnswer(({ method, path }) => method === 'POST' && path === '/api/signup', 1_000)
  await submitApplication(page)
  await expect(page.getByText('Submitting needs a connection. What you typed is kept.')).toBeVisible(SLOW_ANSWER)
  await origin.restore()
  await page.reload()
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(email)
  await submitApplication(page)
  await expect(page.getByRole('heading', SENT_HEADING)).toBeVisible(SLOW_ANSWER)
  const rows = await rowsOf(origin.database.db, 'application', { email })
  expect(rows).toHaveLength(1)
  expect(origin.sent('POST', '/api/signup').length).toBeGreaterThan(1)
})

test('what is said to be kept is kept already when that is said', async ({ page, origin }) => {
  await page.clock.install()
  await fillWholeApplication(page, 'owner-kept@kopi.example')
  void origin.loseAnswer(({ method, path }) => method === 'POST' && path === '/api/signup', 1_000)
  await page.getByLabel(/^I accept the Terms/).uncheck()
  // With the clock stopped, no pause in typing stores the draft.
  await page.clock.pauseAt(Date.now() + 60_000)
  expect(await storedDraft(page, 'register')).toContain('"terms_accepted":""')
  await acceptTerms(page)
  await submitApplication(page)
  const said = page.getByText('Submitting needs a connection. What you typed is kept.')
  // Moves the clock one millisecond at a time.
  await expect(async () => {
    await page.clock.runFor(1)
    expect(await said.isVisible()).toBe(true)
  }).toPass({ intervals: [50], ...SLOW_ANSWER })
  await expect.poll(() => storedDraft(page, 'register')).toContain('"terms_accepted":"1.0"')
})

test('a logo that has gone at the server is asked for again by the name of its brand, and nothing else is lost', async ({
  page,
  origin,
}) => {
  const email = 'owner-gone@kopi.example'
  await fillWholeApplication(page, email)
  // Only uploads without an account: a profile of another test may be in the same database.
  await deleteRows(origin.database.db, 'upload', { userId: null })
  await submitApplication(page)
  await expect(page.locator('[data-error]').getByText('Kopi: Logo must be uploaded again.')).toBeVisible(SLOW_ANSWER)
  const row = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Edit Kopi' }) })
  await expect(row).toContainText('Logo is required.')
  await page.getByRole('button', { name: 'Edit Kopi' }).click()
  await uploadLogo(brandDialog(page), await goodLogo())
  await brandDialog(page).getByRole('button', { name: 'Save brand' }).click()
  await submitApplication(page)
  await expect(page.getByRole('heading', SENT_HEADING)).toBeVisible(SLOW_ANSWER)
  const proofs = origin
    .sent('POST', '/api/signup')
    .map(({ body }) => (JSON.parse(body) as { captcha_proof: string }).captcha_proof)
  expect(new Set(proofs).size).toBe(2)
})
