import { formatInstant } from '../../src/domain/singaporeTime.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

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
