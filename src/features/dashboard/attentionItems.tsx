import { Link } from '@tanstack/react-router'
import { resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import type { Attention, EndingHold, Invitation } from '../../contract/dashboard.ts'
import { LIMITS } from '../../contract/limits.ts'
import { UNUSED_DAYS, type POS_FILTERS } from '../../contract/tables/tableColumns.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDuration, pluralize } from '../../domain/quantities.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
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
  action: Elements
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

type PosFilter = (typeof POS_FILTERS)[number]

/** From this number on, the limit of open masters is mentioned (rule 7.1). */
const NEAR_LIMIT = LIMITS.openMasters - 1

/** What stays until somebody changes it: inactive branches and POS users, the limit of masters, an old password. */
export const standingItems = (attention: Attention, ownBranch: boolean): AttentionItem[] => [
  ...inactiveBranches(attention.inactive_branches),
  ...attention.inactive_pos_users.rows.map((row) => inactivePosUsers(row, ownBranch)),
  ...attention.unused_pos_users.rows.map((row) => unusedPosUsers(row, ownBranch)),
  ...mastersNearLimit(attention.open_masters ?? 0),
  ...oldPassword(attention.password_set_at),
]

function inactiveBranches(count: number): AttentionItem[] {
  if (count === 0) return []
  const action = (
    <Link to="/branches" search={{ filter: { status: 'Inactive' } }}>
      View
    </Link>
  )
  const text = `${pluralize(count, 'branch', 'branches')}, where nothing can be redeemed`
  return [{ key: 'branches', icon: ICONS.store, title: 'Inactive branches', text, action }]
}

function inactivePosUsers(row: Attention['inactive_pos_users']['rows'][number], ownBranch: boolean): AttentionItem {
  const { branch_guid, branch_name, count } = row
  return {
    key: `pos ${branch_guid}`,
    icon: ICONS.user,
    title: count === 1 ? 'Inactive POS user' : 'Inactive POS users',
    text: `${branch_name}, ${pluralize(count, 'POS user')}`,
    action: posUsersLink(branch_guid, { status: 'Inactive' }, ownBranch),
  }
}

function unusedPosUsers(row: Attention['unused_pos_users']['rows'][number], ownBranch: boolean): AttentionItem {
  const { branch_guid, branch_name, count, usernames } = row
  const others = count - usernames.length
  const names = others === 0 ? usernames : [...usernames, `${others} more`]
  return {
    key: `unused ${branch_guid}`,
    icon: ICONS.clock,
    title: `${pluralize(count, 'POS user')} not used for ${UNUSED_DAYS} days`,
    text: `${branch_name}: ${names.join(', ')}`,
    action: posUsersLink(branch_guid, { status: 'Active', use: 'unused' }, ownBranch),
  }
}

/** A link to the POS users of a branch. For a Branch Merchant they are under Profile. */
const posUsersLink = (branch: string, filter: Partial<Record<PosFilter, string>>, ownBranch: boolean) =>
  ownBranch ? (
    <Link to="/profile" search={{ filter }}>
      View
    </Link>
  ) : (
    <Link to="/branches/$type/$id" params={{ type: branch, id: 'view' }} search={{ tab: 'pos', filter }}>
      View
    </Link>
  )

function mastersNearLimit(open: number): AttentionItem[] {
  if (open < NEAR_LIMIT) return []
  const full = open >= LIMITS.openMasters
  return [
    {
      key: 'masters',
      icon: ICONS.masters,
      title: full ? 'No further master possible' : 'One more master possible',
      text: `${open} of ${LIMITS.openMasters} are Active or Pending Activation`,
      action: <Link to="/masters">View</Link>,
    },
  ]
}

function oldPassword(setAt: string | null): AttentionItem[] {
  if (setAt === null) return []
  const text = `Set ${formatDay(new Date(setAt))}`
  return [
    {
      key: 'password',
      icon: ICONS.lock,
      title: 'Password older than one year',
      text,
      action: <Link to="/profile">Change</Link>,
    },
  ]
}
