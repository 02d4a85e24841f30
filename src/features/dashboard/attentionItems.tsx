import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { Attention, EndingHold, Invitation } from '../../contract/dashboard.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'
import { Button } from '../../ui/Button.tsx'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { HELD_FILTER } from './VouchersLink.tsx'

/** One thing that needs attention, with a link or button to settle it. */
export interface AttentionItem {
  key: string
  icon: Drawing
  title: string
  text: string
  action: ReactNode
}

/** Holds that end soon: the till should upload, or the merchant release them. */
export const holdItems = ({ count, rows }: Attention['holds'], now: number): AttentionItem[] => [
  ...rows.map((hold) => holdItem(hold, now)),
  ...(count > rows.length ? [otherHolds(count - rows.length)] : []),
]

function holdItem({ guid, till, branch_name, cents, ends }: EndingHold, now: number): AttentionItem {
  const left = Date.parse(ends) - now
  return {
    key: guid,
    icon: ICONS.clock,
    title: left > 0 ? `Hold ends in ${formatDuration(left)}` : 'Hold has run out',
    text: `${till}, ${branch_name}, ${formatCents(cents)}`,
    action: (
      <Link to="/vouchers" search={{ filter: HELD_FILTER, voucher: guid }}>
        View
      </Link>
    ),
  }
}

const otherHolds = (count: number): AttentionItem => ({
  key: 'holds',
  icon: ICONS.clock,
  title: 'More holds end soon',
  text: `${count} besides those above`,
  action: (
    <Link to="/vouchers" search={{ filter: HELD_FILTER }}>
      View
    </Link>
  ),
})

const INVITATION_LABELS = {
  branch: { icon: ICONS.store, title: 'Branch not activated' },
  master: { icon: ICONS.masters, title: 'Master not activated' },
} as const

/** Accounts that were invited and not activated. The email can be sent again from here. */
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
  icon: ICONS.store,
  title: 'More invitations are waiting',
  text: pluralize(count, 'account'),
  action: (
    <Link to="/branches" search={{ filter: { account_status: 'Pending Activation' } }}>
      View
    </Link>
  ),
})

/** The menu item of the lists as a button. When it is disabled it says why. */
function ResendButton({ name, item }: { name: string; item: MenuItem }) {
  const offline = useOffline()
  const disabled = offline || item.disabled === true
  return (
    <>
      <NeedsConnection or={item.disabled && item.hint} />
      <Button
        variant="quiet"
        className="-mr-2"
        aria-label={`Resend activation email to ${name}`}
        aria-disabled={disabled || undefined}
        onClick={item.onSelect}
      >
        Resend
      </Button>
    </>
  )
}
