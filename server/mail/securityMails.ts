import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import { daysAfter, mailPage, type Portal } from './mailPage.ts'

/** Who has to wait after too many failures. */
export type Locked = 'account' | 'strange devices' | 'device'

const LOCK_TEXTS: Record<Locked, string> = {
  account: 'The account is locked',
  'strange devices':
    'Devices that it was not used on before are locked out. Devices that have logged in before still can log in. The lock began',
  device: 'The device they came from is locked',
}

/** Tells the owner that too many wrong passwords or codes have locked the account, or some devices, for a while. */
export function accountLockedMail({ publicUrl }: Portal, to: string, locked: Locked, now: Date): NewMail {
  const page = mailPage({
    before: [
      `There were too many failed attempts to log in as ${to}. ${LOCK_TEXTS[locked]} on ${formatInstant(now)} (Singapore time), and opens again by itself within 15 minutes.`,
      'If it was not you, somebody may be guessing your password. If it was and you have forgotten it, set a new one:',
    ],
    link: setNewPassword(publicUrl),
    after: [NEVER_ASKED],
  })
  return {
    to,
    kind: 'account_locked',
    subject: 'Your account was locked for a while',
    ...page,
    giveUpAt: daysAfter(now, 1),
  }
}

const MFA_CHANGE_TEXTS = {
  enabled: { subject: 'Authenticator app set up', what: 'An authenticator app was set up for' },
  removed: { subject: 'Authenticator app removed', what: 'The programme has removed the authenticator app of' },
  changed: { subject: 'Authenticator app changed', what: 'Another authenticator app was set up for' },
} as const

/** Tells the owner that signing in takes a code of a new device from now on, in case it was not them. */
export function mfaChangedMail(
  { publicUrl }: Portal,
  to: string,
  change: keyof typeof MFA_CHANGE_TEXTS,
  now: Date,
): NewMail {
  const { subject, what } = MFA_CHANGE_TEXTS[change]
  const page = mailPage({
    before: [
      `${what} ${to} on ${formatInstant(now)} (Singapore time). Earlier recovery codes do not work any more.`,
      'If it was you, there is nothing to do. If not, set a new password at once, and ask the programme for help:',
    ],
    link: setNewPassword(publicUrl),
    after: [NEVER_ASKED],
  })
  return { to, kind: 'mfa_changed', subject, ...page, giveUpAt: daysAfter(now, 3) }
}

/** Tells the owner of a sign-in with a browser that this account was not used with before, in case it was not them. */
export function newSignInMail(
  { publicUrl }: Portal,
  to: string,
  { device, ipAddress }: { device: string; ipAddress: string },
  now: Date,
): NewMail {
  const page = mailPage({
    before: [
      `${to} was used to log in on a device it was not used on before: ${device}, address ${ipAddress}, on ${formatInstant(now)} (Singapore time).`,
      'If it was you, there is nothing to do. If not, set a new password at once; it ends every session:',
    ],
    link: setNewPassword(publicUrl),
    after: [NEVER_ASKED],
  })
  return {
    to,
    kind: 'new_sign_in',
    subject: 'New login to your account',
    ...page,
    giveUpAt: daysAfter(now, 1),
  }
}

const PASSWORD_CHANGE_TEXTS = {
  self: () => 'was changed in the portal',
  'sign-in': () => 'was changed in the portal',
  link: () => 'was changed with a link from an email',
  'main account': (organisation: string) => `was set by the main account of ${organisation}`,
} as const

/** Tells the owner of a password that it is another one now, in case it was not them. */
export function passwordChangedMail(
  { publicUrl }: Portal,
  { loginName, organisationName }: LoginUser,
  by: keyof typeof PASSWORD_CHANGE_TEXTS,
  now: Date,
): NewMail {
  const page = mailPage({
    before: [
      `The password of ${loginName} ${PASSWORD_CHANGE_TEXTS[by](organisationName)} on ${formatInstant(now)} (Singapore time).`,
      'If you know about this, there is nothing to do. If not, set a new password at once:',
    ],
    link: setNewPassword(publicUrl),
    after: ['We never ask for your password by email or telephone.'],
  })
  const giveUpAt = daysAfter(now, 3)
  return { to: loginName, kind: 'password_changed', subject: 'Your password was changed', ...page, giveUpAt }
}

const setNewPassword = (publicUrl: string) => ({ label: 'Set a new password', url: `${publicUrl}/login?step=forgot` })

const NEVER_ASKED = 'We never ask for your password or a code by email or telephone.'
