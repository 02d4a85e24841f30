import type { Feature, PermissionMap, UserType } from '../contract/accounts/permissions.ts'
import { may } from './accounts/permissions.ts'

export interface SidebarItem {
  feature: Feature
  label: string
  path: string
  children?: { label: string; path: string }[]
}

const ITEMS: SidebarItem[] = [
  { feature: 'profile', label: 'Profile', path: '/profile' },
  { feature: 'masters', label: 'Masters', path: '/masters' },
  { feature: 'branches', label: 'Branches', path: '/branches' },
  { feature: 'vouchers', label: 'Vouchers', path: '/vouchers' },
  {
    feature: 'reports',
    label: 'Reports',
    path: '/reports',
    children: [
      { label: 'Transaction Report', path: '/reports/transaction-report' },
      { label: 'Monthly Report', path: '/reports/monthly-report' },
    ],
  },
  { feature: 'resources', label: 'Resources', path: '/resources' },
]

/**
 * Returns the items of rule 16.5 for this type, in their order, without those that the server's map removes (rule 2.6); a POS user has no sidebar.
 */
export const sidebarOf = (type: UserType, narrowedBy?: PermissionMap): SidebarItem[] => allowed(ITEMS, type, narrowedBy)

const MORE: SidebarItem[] = [
  { feature: 'payments', label: 'Payments', path: '/payments' },
  { feature: 'pos', label: 'Tills', path: '/devices' },
  { feature: 'activity', label: 'Activity', path: '/activity' },
]

/** Returns the items of the group "More", below those of the specification. */
export const moreOf = (type: UserType, narrowedBy?: PermissionMap): SidebarItem[] => allowed(MORE, type, narrowedBy)

const allowed = (items: SidebarItem[], type: UserType, narrowedBy?: PermissionMap): SidebarItem[] =>
  items.filter(({ feature }) => may({ type, status: 'Active' }, { feature, action: 'view' }, narrowedBy))
