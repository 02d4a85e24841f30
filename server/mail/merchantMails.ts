import { formatDay } from '../../src/domain/singaporeTime.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { REVIEW_DAYS, type NewReview } from '../db/merchants/reviews.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'
import { oneLine } from './oneLine.ts'

const REVIEW_TEXTS = {
  application: { subject: 'Application to review', what: 'An event stall has applied for an account.' },
  onboarding: { subject: 'Onboarding to review', what: 'A merchant has submitted its onboarding.' },
} as const

interface Submission extends Pick<NewReview, 'subject' | 'submittedBy'> {
  merchantId: string
  organisationName: string
}

/**
 * Asks the provider for a decision. The token is in the fragment, which no server and no Referer gets to see; what the
 * merchant has written comes behind the link, where it cannot pass for it.
 */
export function reviewMail(
  { publicUrl, providerEmail }: Settings,
  { subject, submittedBy, merchantId, organisationName }: Submission,
  token: string,
  now: Date,
): NewMail {
  const giveUpAt = new Date(now.getTime() + REVIEW_DAYS * 86_400_000)
  const page = mailPage({
    before: [`${REVIEW_TEXTS[subject].what} This link shows everything submitted, to approve or reject it:`],
    link: { label: 'Review', url: `${publicUrl}/review#token=${token}` },
    after: [
      `Merchant ${merchantId}, ${oneLine(organisationName)}, submitted by ${submittedBy}.`,
      `The link is good until ${formatDay(giveUpAt)}. Whoever has it can decide: do not pass it on.`,
    ],
  })
  return {
    to: providerEmail,
    kind: 'review',
    subject: `${REVIEW_TEXTS[subject].subject}: ${merchantId}`,
    ...page,
    giveUpAt,
  }
}
