import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

const ACCOUNT_EXISTS_GIVE_UP_MS = 3 * 86_400_000

/** What the page must not tell whoever applied, the owner of the address may know (cases SGN-01). */
export function accountExistsMail({ publicUrl }: Settings, to: string, now: Date): NewMail {
  const page = mailPage({
    before: [
      `Somebody, probably you, applied for a merchant account with ${to}.`,
      'You already have an account with this email address, so no other one was made. If you do not know its password any more, set a new one:',
    ],
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=forgot` },
    after: [
      'If the account was never activated, use the link in its activation or invitation email.',
      'If it was not you, do nothing: your account stays as it is.',
    ],
  })
  const giveUpAt = new Date(now.getTime() + ACCOUNT_EXISTS_GIVE_UP_MS)
  return { to, kind: 'account_exists', subject: 'You already have an account', ...page, giveUpAt }
}
