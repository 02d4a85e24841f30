import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

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
