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

/** A second mail within a minute counts as a mistake. The server also limits the mails of an hour (AUT-28). */
const COOL_DOWN_MS = 60_000

/** Returns the menu item "Resend activation email". It shows when the mail was last sent, and is disabled for a minute after each mail. */
export function resendInvitationItem({ account, email, invited_at }: Invited, onSent: () => void): MenuItem {
  const sentAt = invited_at === null ? undefined : new Date(invited_at)
  const now = new Date(serverNow())
  const isCoolingDown = sentAt !== undefined && now.getTime() - sentAt.getTime() < COOL_DOWN_MS
  return {
    label: 'Resend activation email',
    disabled: isCoolingDown,
    hint: sentAt && (isCoolingDown ? 'Sent just now' : `Last sent ${formatAsOf(sentAt, now)}`),
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
