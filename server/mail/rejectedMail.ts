import type { NewMail } from '../db/mailOutbox.ts'
import type { NewReview } from '../db/merchants/reviews.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

const REJECTED_GIVE_UP_MS = 7 * 86_400_000

const REJECTION_TEXTS = {
  onboarding: {
    what: 'Your onboarding was reviewed and could not be authorised yet. The reason:',
    next: 'Everything you have entered is kept. Change what is needed and submit it again:',
    link: { label: 'Log in', path: '/login' },
  },
  application: {
    what: 'Your application for an event stall account was reviewed and could not be approved. The reason:',
    next: 'You are welcome to apply again with the same email address:',
    link: { label: 'Apply again', path: '/register?type=adhoc' },
  },
} as const

/** `reason` is the provider's own words. */
export function rejectedMail(
  { publicUrl }: Settings,
  to: string,
  { subject, reason }: Pick<NewReview, 'subject'> & { reason: string },
  now: Date,
): NewMail {
  const { what, next, link } = REJECTION_TEXTS[subject]
  const page = mailPage({
    before: [what, reason, next],
    link: { label: link.label, url: publicUrl + link.path },
    after: [],
  })
  const giveUpAt = new Date(now.getTime() + REJECTED_GIVE_UP_MS)
  return { to, kind: 'authorisation_rejected', subject: 'Your submission was not approved', ...page, giveUpAt }
}
