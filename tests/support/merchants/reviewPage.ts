import { expect, type Page } from '@playwright/test'
import type { Onboarding } from '../../../src/contract/merchants/onboarding.ts'
import { mailsTo } from '../api/mailbox.ts'
import { post, logIn } from '../api/portalClient.ts'
import type { PortalOrigin } from '../browser/portalOrigin.ts'
import { makeMerchant, type Merchant } from '../database/builders.ts'
import { makeOnboarding } from './application.ts'

// Actions of the provider at /review.

export const PROVIDER = 'provider@test.example'

const LINK = /https?:\S+\/review#token=[\w-]{43}/

/** Returns the newest review link that was mailed to the provider. */
export async function newestReviewLink({ database }: PortalOrigin): Promise<string> {
  return LINK.exec((await mailsTo(database.db, PROVIDER)).at(-1)?.text ?? '')![0]
}

/** Submits an onboarding. Returns the merchant and the link that was mailed for it. */
export async function submitOnboarding(origin: PortalOrigin, given: Partial<Onboarding> = {}, by?: Merchant) {
  const merchant = by ?? (await makeMerchant(origin.database.db, 'HRP Merchant', 'Pending Activation'))
  const owner = { organisationId: merchant.organisation.id, userId: merchant.main.id }
  const { token } = await logIn(origin.ask, merchant.main)
  const sent = await makeOnboarding(origin.deps, owner, given)
  expect(await post(origin.ask, '/api/merchant/onboarding', sent, token)).toMatchObject({ status: 200 })
  return { merchant, link: await newestReviewLink(origin) }
}

/** Returns the link for the `nth` submission of `loginName`, once it was mailed. */
export async function reviewLinkFor({ database }: PortalOrigin, loginName: string, nth = 1): Promise<string> {
  const links = async () =>
    (await mailsTo(database.db, PROVIDER)).flatMap(({ text }) =>
      text?.includes(`submitted by ${loginName}.`) ? [LINK.exec(text)![0]] : [],
    )
  await expect.poll(async () => (await links()).length).toBe(nth)
  return (await links())[nth - 1]!
}

export const reviewButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })

export const confirmDialog = (page: Page) => page.getByRole('alertdialog')

export async function approve(page: Page): Promise<void> {
  await reviewButton(page, 'Approve').click()
  await confirmDialog(page).getByRole('button', { name: 'Approve' }).click()
}

/** Waits for the `nth` mail of one kind to `address`, which must be the last, and returns its link. Some mails are written after the answer. */
export async function linkInMail({ database }: PortalOrigin, address: string, kind: string, nth = 1) {
  const mails = async () => (await mailsTo(database.db, address)).filter((mail) => mail.kind === kind)
  await expect.poll(async () => (await mails()).length).toBe(nth)
  return /https?:\S+/.exec((await mails()).at(-1)?.text ?? '')![0]
}
