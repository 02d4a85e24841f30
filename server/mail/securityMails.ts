import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

const LOCKED_GIVE_UP_MS = 86_400_000

/** Tells the owner that too many wrong passwords or codes have locked the account for a while. */
export function accountLockedMail({ publicUrl }: Settings, to: string, now: Date): NewMail {
  const page = mailPage({
    before: [
      `There were too many failed attempts to sign in as ${to}. The account was locked on ${formatInstant(now)} (Singapore time), and opens again by itself within 15 minutes.`,
      'If it was not you, somebody may be guessing your password. If it was and you have forgotten it, set a new one:',
    ],
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=forgot` },
    after: ['We never ask for your password or a code by email or telephone.'],
  })
  return {
    to,
    kind: 'account_locked',
    subject: 'Your account was locked for a while',
    ...page,
    giveUpAt: new Date(now.getTime() + LOCKED_GIVE_UP_MS),
  }
}

const MFA_CHANGED_GIVE_UP_MS = 3 * 86_400_000

const MFA_CHANGE_TEXTS = {
  enabled: { subject: 'Authenticator app set up', what: 'An authenticator app was set up for' },
  removed: { subject: 'Authenticator app removed', what: 'The programme has removed the authenticator app of' },
  changed: { subject: 'Authenticator app changed', what: 'Another authenticator app was set up for' },
} as const

/** Tells the owner that signing in takes a code of a new device from now on, in case it was not them. */
export function mfaChangedMail(
  { publicUrl }: Settings,
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
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=forgot` },
    after: ['We never ask for your password or a code by email or telephone.'],
  })
  return { to, kind: 'mfa_changed', subject, ...page, giveUpAt: new Date(now.getTime() + MFA_CHANGED_GIVE_UP_MS) }
}

const NEW_SIGN_IN_GIVE_UP_MS = 86_400_000

/** Tells the owner of a sign-in with a browser that this account was not used with before, in case it was not them. */
export function newSignInMail(
  { publicUrl }: Settings,
  to: string,
  { device, ipAddress }: { device: string; ipAddress: string },
  now: Date,
): NewMail {
  const page = mailPage({
    before: [
      `${to} was used to sign in on a device it was not used on before: ${device}, address ${ipAddress}, on ${formatInstant(now)} (Singapore time).`,
      'If it was you, there is nothing to do. If not, set a new password at once; it ends every session:',
    ],
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=forgot` },
    after: ['We never ask for your password or a code by email or telephone.'],
  })
  return {
    to,
    kind: 'new_sign_in',
    subject: 'New sign-in to your account',
    ...page,
    giveUpAt: new Date(now.getTime() + NEW_SIGN_IN_GIVE_UP_MS),
  }
}

const PASSWORD_CHANGED_GIVE_UP_MS = 3 * 86_400_000

const PASSWORD_CHANGE_TEXTS = {
  self: () => 'was changed in the portal',
  'sign-in': () => 'was changed in the portal',
  link: () => 'was changed with a link from an email',
  'main account': (organisation: string) => `was set by the main account of ${organisation}`,
} as const

/** Tells the owner of a password that it is another one now, in case it was not them. */
export function passwordChangedMail(
  { publicUrl }: Settings,
  { loginName, organisationName }: LoginUser,
  by: keyof typeof PASSWORD_CHANGE_TEXTS,
  now: Date,
): NewMail {
  const page = mailPage({
    before: [
      `The password of ${loginName} ${PASSWORD_CHANGE_TEXTS[by](organisationName)} on ${formatInstant(now)} (Singapore time).`,
      'If you know about this, there is nothing to do. If not, set a new password at once:',
    ],
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=forgot` },
    after: ['We never ask for your password by email or telephone.'],
  })
  const giveUpAt = new Date(now.getTime() + PASSWORD_CHANGED_GIVE_UP_MS)
  return { to: loginName, kind: 'password_changed', subject: 'Your password was changed', ...page, giveUpAt }
}
