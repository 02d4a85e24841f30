import { call } from '../../api/call.ts'
import { resendInvitation } from '../../contract/merchants/onboarding.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { serverNow } from '../../state/auth.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { runAction } from '../record/recordActions.ts'

interface Invited {
  /** The account that is invited. */
  account: string
  email: string
  invited_at: string | null
}

/** A second mail within the minute is taken for a slip. The server limits how many are sent in an hour (AUT-28). */
const COOL_DOWN_MS = 60_000

/** The menu item "Resend activation email" of a row. It shows when the mail was last sent, and rests for a minute after each. */
export function resendInvitationItem({ account, email, invited_at }: Invited, onSent: () => void): MenuItem {
  const sentAt = invited_at === null ? undefined : new Date(invited_at)
  const now = new Date(serverNow())
  const resting = sentAt !== undefined && now.getTime() - sentAt.getTime() < COOL_DOWN_MS
  return {
    label: 'Resend activation email',
    disabled: resting,
    hint: sentAt && (resting ? 'Sent just now' : `Last sent ${formatAsOf(sentAt, now)}`),
    onSelect: () =>
      void runAction({
        run: () => call(resendInvitation, { params: { id: account } }),
        done: `Activation email sent to ${email}`,
      }).then((sent) => sent && onSent()),
  }
}

/** Asks first, then lets `run` mail a link for a new password to the login of a branch or a master. */
export const mailResetLink = ({ name, email }: { name: string; email: string | null }, run: () => Promise<unknown>) =>
  runAction({
    question: {
      title: `Reset the password of ${name}?`,
      consequence: `A link to set a new password is emailed to ${email}. The current password keeps working until then.`,
      act: 'Send link',
      dismiss: 'Cancel',
      destructive: false,
    },
    run,
    done: `Link sent to ${email}`,
  })
