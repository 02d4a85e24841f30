import { formatDay, formatInstant } from '../../src/domain/singaporeTime.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { REVIEW_DAYS, type NewReview } from '../db/merchants/reviews.ts'
import { daysAfter, mailPage, mailSubject, oneLine, ownerOf, type Addressee, type Portal } from './mailPage.ts'

const REVIEW_TEXTS = {
  application: { subject: 'Application to review', what: 'An event stall has applied for an account.' },
  onboarding: { subject: 'Onboarding to review', what: 'A merchant has submitted its onboarding.' },
} as const

interface Submission extends Pick<NewReview, 'subject' | 'submittedBy'> {
  merchantId: string
  organisationName: string
}

/**
 * Asks the provider for a decision. The token is in the fragment, which is never sent to a server or in a Referer; the merchant's own text comes
 * after the link, so that it cannot pass for the link.
 */
export function reviewMail(
  { providerEmail, ...portal }: Portal & { providerEmail: string },
  { subject, submittedBy, merchantId, organisationName }: Submission,
  token: string,
  now: Date,
): NewMail {
  const giveUpAt = daysAfter(now, REVIEW_DAYS)
  const page = mailPage(portal, {
    before: [
      `${REVIEW_TEXTS[subject].what} This link shows everything that was submitted. You can approve or reject it there:`,
    ],
    link: { label: 'Review', path: `/review#token=${token}` },
    after: [
      `Merchant ${merchantId}, ${oneLine(organisationName)}, submitted by ${submittedBy}.`,
      `The link works until ${formatDay(giveUpAt)}. Anyone who has it can decide, so do not pass it on.`,
    ],
  })
  return {
    to: providerEmail,
    kind: 'review',
    subject: mailSubject(`${REVIEW_TEXTS[subject].subject}, ${merchantId}`, { organisation: organisationName }),
    ...page,
    giveUpAt,
  }
}

/** Confirms an ADHOC application. The provider decides on it; there is nothing to activate yet. */
export function applicationReceivedMail(portal: Portal, to: string, now: Date): NewMail {
  const page = mailPage(portal, {
    before: [
      'We have received your application for an event stall account and are reviewing it.',
      'You will get an email with a link to activate your account once it is approved. The pages about the programme are here:',
    ],
    link: { label: 'Terms and Conditions', path: '/terms-and-conditions' },
    after: ['If you did not apply, do nothing: without the link in that email, nobody can log in.'],
  })
  const giveUpAt = daysAfter(now, 3)
  return { to, kind: 'application_received', subject: 'Application received: event stall', ...page, giveUpAt }
}

/** Tells the owner of the address that the account exists, because the page must not tell the applicant (SGN-01). */
export function accountExistsMail(portal: Portal, user: LoginUser, now: Date): NewMail {
  const to = user.loginName
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `Somebody, probably you, applied for a merchant account with ${to}.`,
      'You already have an account with this email address, so no second one was made. If you have forgotten its password, set a new one:',
    ],
    link: { label: 'Set a new password', path: '/login?step=forgot' },
    after: [
      'If the account was never activated, use the link in its activation or invitation email.',
      'If it was not you, do nothing: your account stays as it is.',
    ],
  })
  const giveUpAt = daysAfter(now, 3)
  return { to, kind: 'account_exists', subject: mailSubject('Account already exists', about), ...page, giveUpAt }
}

/** Confirms to the merchant what it has submitted, and says what comes next. */
export function onboardingReceivedMail(portal: Portal, to: string, organisation: string, now: Date): NewMail {
  const about = { organisation }
  const page = mailPage(portal, {
    about,
    before: [
      `We received the onboarding of ${oneLine(organisation)} on ${formatInstant(now)}, Singapore time: the details of the organisation, its hours, contacts and bank account, and the signed agreement.`,
      `The provider will review it, and will email you at ${to} when the account is authorised or if something needs changing. There is no fixed time for this. You can see the status here:`,
    ],
    link: { label: 'See the status', path: '/pending-authorisation' },
    after: ['If you did not submit this, change your password and tell us.'],
  })
  const giveUpAt = daysAfter(now, 3)
  return { to, kind: 'onboarding_received', subject: mailSubject('Onboarding received', about), ...page, giveUpAt }
}

/** Confirms that the account is authorised, as required by rule 5.9. */
export function authorisedMail(portal: Portal, to: string, about: Addressee, now: Date): NewMail {
  const page = mailPage(portal, {
    about,
    before: ['Your account is authorised. You can now set up masters, branches and POS users:'],
    link: { label: 'Log in', path: '/login' },
    after: ['Welcome to the programme.'],
  })
  const giveUpAt = daysAfter(now, 7)
  return { to, kind: 'authorised', subject: mailSubject('Account authorised', about), ...page, giveUpAt }
}

const REJECTION_TEXTS = {
  onboarding: {
    mailTitle: 'Onboarding not authorised yet',
    what: 'Your onboarding was reviewed and could not be authorised yet. The reason:',
    next: 'Everything you have entered is kept. Change what is needed and submit it again:',
    link: { label: 'Log in', path: '/login' },
  },
  application: {
    mailTitle: 'Application not approved: event stall',
    what: 'Your application for an event stall account was reviewed and could not be approved. The reason:',
    next: 'You are welcome to apply again with the same email address:',
    link: { label: 'Apply again', path: '/register?type=adhoc' },
  },
} as const

/** Tells the merchant that its submission was rejected. `reason` is the provider's own text. */
export function rejectedMail(
  portal: Portal,
  to: string,
  { subject, reason, about }: Pick<NewReview, 'subject'> & { reason: string; about: Addressee },
  now: Date,
): NewMail {
  const { mailTitle, what, next, link } = REJECTION_TEXTS[subject]
  const page = mailPage(portal, {
    about,
    before: [what, reason, next],
    link,
    after: [],
  })
  const giveUpAt = daysAfter(now, 7)
  return { to, kind: 'authorisation_rejected', subject: mailSubject(mailTitle, about), ...page, giveUpAt }
}
