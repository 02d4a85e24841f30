import type { Page } from '@playwright/test'
import { button, field, submitLogin } from '../../support/accounts/loginPage.ts'
import { activate, code, heading, setUpAuthenticator } from '../../support/accounts/mfaPage.ts'
import { mailsTo } from '../../support/api/mailbox.ts'
import { countAnswers, countTaps } from '../../support/browser/countTaps.ts'
import { expect, test as base, watchPages } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { NEW_PASSWORD } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import {
  clearThrottles,
  fillWholeApplication,
  SENT_HEADING,
  SLOW_ANSWER,
  submitApplication,
} from '../../support/merchants/applicationForm.ts'
import { fillOnboarding, submitOnboarding } from '../../support/merchants/onboardingForm.ts'
import { approve, linkInMail, reviewLinkFor } from '../../support/merchants/reviewPage.ts'
import { desk as runDesk } from '../../support/server/desk.ts'

// From a stranger to a merchant, only through screens and mails.

const test = base.extend<{ desk: Page }>({
  /** The provider's browser, in which the merchant never logged in. */
  desk: async ({ browser }, give) => {
    const context = await browser.newContext()
    const watch = await watchPages(context, () => false)
    await give(await context.newPage())
    expect(watch.complaints(), "complaints of the provider's pages").toEqual([])
    await context.close()
  },
})

test.beforeEach(({ origin }) => clearThrottles(origin))

async function apply(page: Page, email: string, type: 'hrp' | 'adhoc' = 'hrp') {
  await fillWholeApplication(page, email, type)
  await submitApplication(page)
  await expect(page.getByRole('heading', SENT_HEADING)).toBeVisible(SLOW_ANSWER)
}

async function openReview(desk: Page, link: string) {
  await desk.goto(link)
  await expect(heading(desk, 'Kopi & Grain Pte. Ltd.')).toBeVisible()
}

async function statuses({ database: { db } }: PortalOrigin, email: string) {
  const [user] = await rowsOf(db, 'app_user', { loginName: email })
  const [organisation] = await rowsOf(db, 'organisation', { id: user?.['organisationId'] })
  return user && { account: user['status'], organisation: organisation?.['status'] }
}

const both = (status: string) => ({ account: status, organisation: status })
const sidebarLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('an HRP Merchant applies, activates, sets up the authenticator app, is onboarded, approved and Active @short', async ({
  page,
  desk,
  origin,
}) => {
  test.slow()
  origin.requireMfa()
  const [answers, taps] = [await countAnswers(page), await countTaps(page)]
  const email = 'journey-hrp@kopi.example'
  await apply(page, email)
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending'))

  await activate(page, await linkInMail(origin, email, 'activation'))
  const phone = await setUpAuthenticator(page, origin)
  await expect(page).toHaveURL('/onboarding')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending Activation'))
  await expect(field(page, 'Organisation name per ACRA')).toHaveValue('Kopi & Grain Pte. Ltd.')
  await expect(page.getByRole('region', { name: 'What you will need' })).toContainText('(UEN)')
  await fillOnboarding(page, { financialContact: false })
  await submitOnboarding(page)
  // The authenticator's code and its checkbox belong to the login.
  expect(answers() - 2).toBeLessThanOrEqual(33)
  expect(taps()).toBeLessThanOrEqual(15)
  await button(page, 'Logout').click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending Authorisation'))

  await openReview(desk, await reviewLinkFor(origin, email))
  for (const text of ['4 Tampines Central 5, #02-14', 'kopi@kopi.example', '201834567W', 'DBS Bank', email]) {
    await expect(desk.getByRole('main')).toContainText(text)
  }
  const [account] = await rowsOf(origin.database.db, 'app_user', { loginName: email })
  const [organisation] = await rowsOf(origin.database.db, 'organisation', { id: account?.['organisationId'] })
  await runDesk({ ...origin.env, PUBLIC_URL: origin.url }, `approve ${String(organisation?.['merchantId'])}`)

  const mails = await mailsTo(origin.database.db, email)
  expect(mails.map(({ kind }) => kind).slice(-2)).toEqual(['onboarding_received', 'authorised'])

  await page.goto('/login')
  await submitLogin(page, email, NEW_PASSWORD)
  await code(page).fill(phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Active'))
  await sidebarLink(page, 'Vouchers').click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('an ADHOC Merchant gets the activation link with the approval of the application, and is Active at once', async ({
  page,
  desk,
  origin,
}) => {
  test.slow()
  const email = 'journey-adhoc@kopi.example'
  await apply(page, email, 'adhoc')
  await linkInMail(origin, email, 'application_received')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending'))

  await openReview(desk, await reviewLinkFor(origin, email))
  await approve(desk)
  await expect(desk.getByText(/^Approved on/)).toBeVisible()

  await activate(page, await linkInMail(origin, email, 'activation'))
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Active'))
  await expect(sidebarLink(page, 'Vouchers')).toBeVisible()
  await expect(sidebarLink(page, 'Masters')).toHaveCount(0)
  await page.goto('/onboarding')
  await expect(page.getByText('This account has no onboarding.')).toBeVisible()
})
