import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

const AUTHORISED_GIVE_UP_MS = 7 * 86_400_000

/** Spec §1: an email is sent once the account is authorised. */
export function authorisedMail({ publicUrl }: Settings, to: string, now: Date): NewMail {
  const page = mailPage({
    before: ['Your account is authorised. You can now set up masters, branches and points of sale:'],
    link: { label: 'Log in', url: `${publicUrl}/login` },
    after: ['Welcome to the programme.'],
  })
  const giveUpAt = new Date(now.getTime() + AUTHORISED_GIVE_UP_MS)
  return { to, kind: 'authorised', subject: 'Your account is authorised', ...page, giveUpAt }
}
