import { isMainAccount } from '../../src/domain/accounts/permissions.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import { LINK_MINUTES } from '../db/accounts/passwords.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { mailPage, mailSubject, ownerOf, type Portal } from './mailPage.ts'

const ACTIVATION_DAYS = LINK_MINUTES.activation / (24 * 60)

/** The mail asks an applicant to confirm the address, and tells an invited user which merchant has invited them. */
const ACTIVATION_TEXTS = {
  activation: {
    subject: 'Activate your account',
    // The address is not confirmed yet, so the mail contains no text that the applicant wrote (SGN-05).
    reason: ({ loginName }: InvitedUser) =>
      `Thank you for your application. This link confirms ${loginName} and sets your password:`,
  },
  invitation: {
    subject: 'Merchant portal invitation',
    reason: ({ loginName, organisationName }: InvitedUser) =>
      `${organisationName} has made an account for ${loginName} in the merchant portal. This link sets your password:`,
  },
} as const

type InvitedUser = Pick<LoginUser, 'loginName' | 'type' | 'passwordHash' | 'organisationName' | 'contactName'>

/** Brings the link to set the first password. The token is in the fragment, which is never sent to a server or in a Referer. */
export function activationMail(portal: Portal, invited: InvitedUser, token: string, now: Date): NewMail {
  const kind = isMainAccount(invited.type) ? 'activation' : 'invitation'
  const { subject, reason } = ACTIVATION_TEXTS[kind]
  const about = ownerOf(invited)
  const page = mailPage(portal, {
    about,
    before: [reason(invited)],
    link: { label: 'Activate the account', path: `/login?step=activate#token=${token}` },
    after: [
      `It works once, for ${ACTIVATION_DAYS} days. A newer link replaces it.`,
      'If you did not expect this, do nothing: nobody can use your account without this link.',
    ],
  })
  // An expired link is not worth sending.
  const giveUpAt = new Date(now.getTime() + LINK_MINUTES.activation * 60_000)
  return { to: invited.loginName, kind, subject: mailSubject(subject, about), ...page, giveUpAt }
}

/** Brings the link to set a new password. The token is in the fragment, which is never sent to a server or in a Referer. */
export function resetMail(portal: Portal, user: LoginUser, token: string, now: Date): NewMail {
  const to = user.loginName
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [`Somebody, probably you, asked for a new password for ${to}. This link sets it:`],
    link: { label: 'Set a new password', path: `/login?step=reset#token=${token}` },
    after: [
      `It works once, for ${LINK_MINUTES.reset} minutes. A newer link replaces it.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
  // An expired link is not worth sending.
  const giveUpAt = new Date(now.getTime() + LINK_MINUTES.reset * 60_000)
  return { to, kind: 'reset', subject: mailSubject('Set a new password', about), ...page, giveUpAt }
}
