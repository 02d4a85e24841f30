import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import { LINK_MINUTES } from '../db/accounts/passwords.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { daysAfter, mailPage, mailSubject, ownerOf, type Portal } from './mailPage.ts'

/** The reach of a lock after too many failures: the account, all devices that it was not used on before, or one device. */
export type Locked = 'account' | 'unknown devices' | 'device'

const LOCK_TEXTS: Record<Locked, string> = {
  account: 'The account was locked',
  'unknown devices': 'Devices that have logged in before can still log in. All other devices were locked out',
  device: 'The device that they came from was locked',
}

/** Tells the owner that too many wrong passwords or codes have locked the account, or some devices, for a while. */
export function accountLockedMail(portal: Portal, user: LoginUser, locked: Locked, now: Date): NewMail {
  const to = user.loginName
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `There were too many failed attempts to log in as ${to}. ${LOCK_TEXTS[locked]} on ${formatInstant(now)} (Singapore time). The lock ends by itself within 15 minutes.`,
      'If it was not you, somebody may be guessing your password. If it was you and you have forgotten the password, set a new one:',
    ],
    link: SET_NEW_PASSWORD,
    after: [NEVER_ASKED],
  })
  return {
    to,
    kind: 'account_locked',
    subject: mailSubject('Account locked for a while', about),
    ...page,
    giveUpAt: daysAfter(now, 1),
  }
}

const MFA_CHANGE_TEXTS = {
  enabled: { subject: 'Authenticator app set up', what: 'An authenticator app was set up for' },
  removed: { subject: 'Authenticator app removed', what: 'The programme has removed the authenticator app of' },
  changed: { subject: 'Authenticator app changed', what: 'Another authenticator app was set up for' },
} as const

/** Tells the owner that their authenticator app was changed, in case it was not them. */
export function mfaChangedMail(
  portal: Portal,
  user: LoginUser,
  change: keyof typeof MFA_CHANGE_TEXTS,
  now: Date,
): NewMail {
  const to = user.loginName
  const about = ownerOf(user)
  const { subject, what } = MFA_CHANGE_TEXTS[change]
  const page = mailPage(portal, {
    about,
    before: [
      `${what} ${to} on ${formatInstant(now)} (Singapore time). Earlier recovery codes do not work any more.`,
      'If it was you, there is nothing to do. If not, set a new password at once, and ask the programme for help:',
    ],
    link: SET_NEW_PASSWORD,
    after: [NEVER_ASKED],
  })
  return { to, kind: 'mfa_changed', subject: mailSubject(subject, about), ...page, giveUpAt: daysAfter(now, 3) }
}

/** Tells the owner of a login with a browser that was not used with this account before, in case it was not them. */
export function newLoginMail(
  portal: Portal,
  user: LoginUser,
  { device, ipAddress }: { device: string; ipAddress: string },
  now: Date,
): NewMail {
  const to = user.loginName
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `${to} was used to log in on a device it was not used on before: ${device}, address ${ipAddress}, on ${formatInstant(now)} (Singapore time).`,
      'If it was you, there is nothing to do. If not, set a new password at once; it ends every session:',
    ],
    link: SET_NEW_PASSWORD,
    after: [NEVER_ASKED],
  })
  return {
    to,
    kind: 'new_login',
    subject: mailSubject('New login', about),
    ...page,
    giveUpAt: daysAfter(now, 1),
  }
}

const PASSWORD_CHANGE_TEXTS = {
  self: () => 'was changed in the portal',
  login: () => 'was changed in the portal',
  link: () => 'was changed with a link from an email',
  'main account': (organisation: string) => `was set by the main account of ${organisation}`,
} as const

/** Tells the owner that the password was changed, in case it was not them. */
export function passwordChangedMail(
  portal: Portal,
  user: LoginUser,
  by: keyof typeof PASSWORD_CHANGE_TEXTS,
  now: Date,
): NewMail {
  const { loginName, organisationName } = user
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `The password of ${loginName} ${PASSWORD_CHANGE_TEXTS[by](organisationName)} on ${formatInstant(now)} (Singapore time).`,
      'If you know about this, there is nothing to do. If not, set a new password at once:',
    ],
    link: SET_NEW_PASSWORD,
    after: ['We never ask for your password by email or telephone.'],
  })
  const giveUpAt = daysAfter(now, 3)
  const subject = mailSubject('Password changed', about)
  return { to: loginName, kind: 'password_changed', subject, ...page, giveUpAt }
}

const EMAIL_LINK_HOURS = LINK_MINUTES.email / 60

/** Brings the link that moves a login to `email`. The token is in the fragment, which is never sent to a server or in a Referer. */
export function emailChangeMail(
  portal: Portal,
  { asker, email, organisation }: { asker: string; email: string; organisation: string },
  token: string,
  now: Date,
): NewMail {
  const page = mailPage(portal, {
    about: { organisation },
    before: [`${asker} asks to move a login of the merchant portal to ${email}. This link confirms the change:`],
    link: { label: 'Confirm this email', path: `/login?step=email#token=${token}` },
    after: [
      `It works once, for ${EMAIL_LINK_HOURS} hours. A newer link replaces it.`,
      'If you did not expect this, do nothing: without the link nothing changes.',
    ],
  })
  // An expired link is not worth sending.
  const giveUpAt = new Date(now.getTime() + LINK_MINUTES.email * 60_000)
  const subject = mailSubject('New login email to confirm', { organisation })
  return { to: email, kind: 'email_change', subject, ...page, giveUpAt }
}

/** Tells the current address that the login is about to move. The mail does not name the new address, which may belong to another person. */
export function emailChangeAskedMail(portal: Portal, asker: string, user: LoginUser, now: Date): NewMail {
  const { loginName } = user
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `${asker} asked on ${formatInstant(now)} (Singapore time) to move the login ${loginName} to another email.`,
      'Nothing changes until the link sent to that email is followed. If this surprises you, ask your main account or the programme now.',
    ],
    link: { label: 'Open the portal', path: '/login' },
    after: [],
  })
  const subject = mailSubject('Login email about to change', about)
  return { to: loginName, kind: 'email_changed', subject, ...page, giveUpAt: daysAfter(now, 1) }
}

/** Tells the old address that it can no longer be used to log in. */
export function emailChangedMail(portal: Portal, user: LoginUser, now: Date): NewMail {
  const { loginName } = user
  const about = ownerOf(user)
  const page = mailPage(portal, {
    about,
    before: [
      `The login ${loginName} moved to another email on ${formatInstant(now)} (Singapore time). Nobody can log in with ${loginName} any more.`,
      'If this surprises you, ask your main account or the programme.',
    ],
    link: { label: 'Open the portal', path: '/login' },
    after: [],
  })
  const subject = mailSubject('Login email changed', about)
  return { to: loginName, kind: 'email_changed', subject, ...page, giveUpAt: daysAfter(now, 3) }
}

const SET_NEW_PASSWORD = { label: 'Set a new password', path: '/login?step=forgot' }

const NEVER_ASKED = 'We never ask for your password or a code by email or telephone.'
