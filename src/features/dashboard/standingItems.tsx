import { Link } from '@tanstack/react-router'
import type { Attention } from '../../contract/dashboard.ts'
import { LIMITS } from '../../contract/limits.ts'
import { UNUSED_DAYS, type POS_FILTERS } from '../../contract/tables/tableColumns.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { ICONS } from '../../ui/icons.tsx'
import type { AttentionItem } from './attentionItems.tsx'

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
