import type { NewMail } from '../db/mailOutbox.ts'
import type { Settings } from '../Deps.ts'
import { mailPage } from './mailPage.ts'

const RECEIVED_GIVE_UP_MS = 3 * 86_400_000

/** An ADHOC application is with the provider; there is nothing to activate yet. */
export function applicationReceivedMail({ publicUrl }: Settings, to: string, now: Date): NewMail {
  const page = mailPage({
    before: [
      'We have received your application for an event stall account and are reviewing it.',
      'You will get an email with a link to activate your account once it is approved. The pages about the programme are here:',
    ],
    link: { label: 'Terms and Conditions', url: `${publicUrl}/terms-and-conditions` },
    after: ['If you did not apply, do nothing: without the link of that email nobody gets in.'],
  })
  const giveUpAt = new Date(now.getTime() + RECEIVED_GIVE_UP_MS)
  return { to, kind: 'application_received', subject: 'We have received your application', ...page, giveUpAt }
}
