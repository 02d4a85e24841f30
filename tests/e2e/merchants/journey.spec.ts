import type { Page } from '@playwright/test'
import { button, field, logIn } from '../../support/accounts/loginPage.ts'
import { activate, code, heading, logOut, setUpAuthenticator } from '../../support/accounts/mfaPage.ts'
import { signInByHand } from '../../support/accounts/signIn.ts'
import { GATED } from '../../support/api/actors.ts'
import { get, post } from '../../support/api/portalClient.ts'
import { countAnswers } from '../../support/browser/countTaps.ts'
import { expect, test as base, watchPages } from '../../support/browser/fixtures.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import { makeMerchant, NEW_PASSWORD } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'
import {
  clearThrottles,
  fillWholeApplication,
  SENT_HEADING,
  SLOW_ANSWER,
  submitApplication,
} from '../../support/merchants/applicationForm.ts'
import { fillOnboarding, submitOnboarding } from '../../support/merchants/onboardingForm.ts'
import { approve, linkInMail, reject, reviewButton, reviewLinkFor } from '../../support/merchants/reviewPage.ts'

// From a stranger to a merchant, through nothing but screens and mails.

const test = base.extend<{ desk: Page }>({
  /** The provider's browser, in which the merchant never was. */
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
  const answers = await countAnswers(page)
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
  // The authenticator's code and its tick belong to the login.
  expect(answers() - 2).toBeLessThanOrEqual(34)
  await button(page, 'Logout').click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending Authorisation'))

  await openReview(desk, await reviewLinkFor(origin, email))
  for (const text of ['4 Tampines Central 5, #02-14', 'kopi@kopi.example', '201834567W', 'DBS Bank', email]) {
    await expect(desk.getByRole('main')).toContainText(text)
  }
  await approve(desk)
  await expect(desk.getByText(/^Approved on/)).toBeVisible()

  await page.goto(await linkInMail(origin, email, 'authorised'))
  await logIn(page, email, NEW_PASSWORD)
  await code(page).fill(phone.nextCode())
  await expect(page).toHaveURL('/dashboard')
  await expect.poll(() => statuses(origin, email)).toEqual(both('Active'))
  await sidebarLink(page, 'Vouchers').click()
  await expect(page.getByText('No voucher yet')).toBeVisible()
})

test('a rejected HRP Merchant follows the mail, reads why, corrects it and is approved; the first link is over', async ({
  page,
  desk,
  origin,
}) => {
  test.slow()
  const email = 'journey-rejected@kopi.example'
  await apply(page, email)
  await activate(page, await linkInMail(origin, email, 'activation'))
  await expect(page).toHaveURL('/onboarding')
  await fillOnboarding(page)
  await submitOnboarding(page)

  const first = await reviewLinkFor(origin, email)
  await openReview(desk, first)
  await reject(desk, 'Twelve points of sale cannot be right.')
  await expect(desk.getByText(/^Rejected on/)).toBeVisible()
  await expect.poll(() => statuses(origin, email)).toEqual(both('Authorisation Rejected'))

  await page.goto(await linkInMail(origin, email, 'authorisation_rejected'))
  await expect(page).toHaveURL('/onboarding')
  await expect(page.getByText('Authorisation Rejected')).toBeVisible()
  await expect(page.getByText('Twelve points of sale cannot be right.')).toBeVisible()
  await expect(field(page, 'Number of POS terminals')).toHaveValue('12')
  await field(page, 'Number of POS terminals').fill('2')
  await submitOnboarding(page)
  await expect.poll(() => statuses(origin, email)).toEqual(both('Pending Authorisation'))

  const second = await reviewLinkFor(origin, email, 2)
  await desk.goto(first)
  await expect(heading(desk, 'There is a newer submission')).toBeVisible()
  await expect(reviewButton(desk, 'Approve')).toHaveCount(0)
  await openReview(desk, second)
  await expect(desk.getByRole('region', { name: 'Earlier decisions' })).toContainText('Twelve points of sale')
  await approve(desk)
  await expect(desk.getByText(/^Approved on/)).toBeVisible()

  await page.goto(await linkInMail(origin, email, 'authorised'))
  await expect(heading(page, 'Your account is authorised')).toBeVisible()
  await page.getByRole('link', { name: 'Go to the start page' }).click()
  await expect(page).toHaveURL('/dashboard')
  await logOut(page)
  await logIn(page, email, NEW_PASSWORD)
  await expect(page).toHaveURL('/dashboard')
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

const GUARDED = [
  '/dashboard',
  '/profile',
  '/profile/edit',
  '/masters',
  '/branches',
  '/imports/branches',
  '/imports/pos-users',
  '/vouchers',
  '/reports/transaction-report',
  '/resources',
  '/downloads',
  '/activity',
  '/devices',
  '/settings/device',
  '/redeem',
]
/** The ones that rule 2.7 leaves open, the root being the fourth. */
const OPEN = ['/onboarding', '/onboarding-submitted', '/pending-authorisation']

for (const status of GATED) {
  test(`an HRP Merchant in ${status} gets the four routes of the gate, and from the server as little`, async ({
    page,
    origin,
  }) => {
    const { main } = await makeMerchant(origin.database.db, 'HRP Merchant', status)
    await signInByHand(page, main)
    const home = status === 'Pending Authorisation' ? '/pending-authorisation' : '/onboarding'
    await expect(page).toHaveURL(home)
    for (const path of ['/', ...GUARDED]) {
      await page.goto(path)
      await expect(page, path).toHaveURL(home)
    }
    for (const path of OPEN) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible()
      // The form of an onboarding that is with the provider cannot be open.
      await expect(page, path).toHaveURL(path === '/onboarding' ? home : path)
    }

    const token = origin
      .sent('GET', '/api/account/my_info')
      .at(-1)
      ?.headers['authorization']?.replace(/^Bearer /, '')
    const ask = origin.ask
    expect(await get(ask, '/api/account/my_info', token)).toMatchObject({ status: 200 })
    const table = { start: 0, limit: 10, search_str: '', order_by: [], other_params: [] }
    expect(await post(ask, '/api/voucher/datatable', table, token)).toMatchObject({ status: 403 })
    expect(await get(ask, '/api/filter/transaction/branch_list', token)).toMatchObject({ status: 403 })
  })
}
