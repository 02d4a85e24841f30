import { LINK_MINUTES } from '../db/accounts/passwords.ts'
import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

/** The link to set a new password. The token is in the fragment, which no server and no Referer gets to see. */
export function resetMail({ publicUrl }: Settings, to: string, token: string, now: Date): NewMail {
  const page = mailPage({
    before: [`Somebody, probably you, asked for a new password for ${to}. This link sets it:`],
    link: { label: 'Set a new password', url: `${publicUrl}/login?step=reset#token=${token}` },
    after: [
      `It works once, for ${LINK_MINUTES.reset} minutes. A newer link replaces it.`,
      'If it was not you, do nothing: your password stays as it is.',
    ],
  })
  // Dead links are not worth sending.
  const giveUpAt = new Date(now.getTime() + LINK_MINUTES.reset * 60_000)
  return { to, kind: 'reset', subject: 'Set a new password', ...page, giveUpAt }
}
