import { formatInstant } from '../../src/domain/singaporeTime.ts'
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
