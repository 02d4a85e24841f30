import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

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
