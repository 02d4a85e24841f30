import { Link } from '@tanstack/react-router'
import { resendInvitationItem } from '../../blocks/accounts/resendInvitationItem.ts'
import type { Attention, Invitation } from '../../contract/dashboard.ts'
import type { AttentionItem } from './AttentionItem.ts'
import { pluralize } from '../../domain/counted.ts'
import { formatDuration } from '../../domain/quantities.ts'
import { ResendButton } from './ResendButton.tsx'

const INVITATION_LABELS = {
  branch: { icon: 'store', title: 'Branch not activated' },
  master: { icon: 'masters', title: 'Master not activated' },
} as const

/** Who was invited and has not come; the mail can be sent again right here. */
export const invitationItems = (
  { count, rows }: Attention['invitations'],
  now: number,
  onSent: () => void,
): AttentionItem[] => [
  ...rows.map((row) => invitationItem(row, now, onSent)),
  ...(count > rows.length ? [otherInvitations(count - rows.length)] : []),
]

function invitationItem(row: Invitation, now: number, onSent: () => void): AttentionItem {
  const { kind, account_guid, name, invited_at, created_at } = row
  const waits = now - Date.parse(invited_at ?? created_at)
  return {
    key: account_guid,
    ...INVITATION_LABELS[kind],
    text: `${name}, invited ${formatDuration(waits)} ago`,
    action: <ResendButton name={name} item={resendInvitationItem({ ...row, account: account_guid }, onSent)} />,
  }
}

const otherInvitations = (count: number): AttentionItem => ({
  key: 'invitations',
  icon: 'store',
  title: 'More invitations wait',
  text: pluralize(count, 'account'),
  action: (
    <Link to="/branches" search={{ filter: { account_status: 'Pending Activation' } }}>
      View
    </Link>
  ),
})
