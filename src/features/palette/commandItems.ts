import { signOut } from '../../blocks/accounts/signOut.ts'
import type { Action, Feature, PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { openShortcuts } from '../../state/palette.ts'
import { toggleSidebar } from '../../state/shell.ts'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { Item, Place } from './Item.ts'

interface Command {
  id: string
  label: string
  icon: Drawing
  go: Item['go']
  /** Without one the command is open to every merchant. */
  feature?: Feature
  action?: Action
  detail?: string
  needsConnection?: true
}

/** The screens this person may open and the actions they may do, by the same permissions as sidebar, guards and server. */
export function commandItems(user: User, permissions: PermissionMap, offline: boolean): Item[] {
  const allowed = ({ feature, action = 'view' }: Command) => !feature || may(user, { feature, action }, permissions)
  const items = (group: 'Screens' | 'Actions', all: Command[]) =>
    all.filter(allowed).map(({ id, label, detail, icon, go, needsConnection }): Item => {
      const needs = needsConnection && offline ? 'Needs a connection' : undefined
      return { id: `${group}/${id}`, group, label, detail, icon, go, needs }
    })
  return [...items('Screens', SCREENS), ...items('Actions', ACTIONS)]
}

const to = (path: string): Place => ({ to: path })
const record = (path: '/branches/$type' | '/masters/$type', search?: Place['search']): Place => ({
  to: path,
  params: { type: 'create' },
  ...(search ? { search } : {}),
})

const SCREENS: Command[] = [
  { id: 'dashboard', label: 'Dashboard', icon: ICONS.chart, feature: 'dashboard', go: to('/dashboard') },
  { id: 'vouchers', label: 'Vouchers', icon: ICONS.ticket, feature: 'vouchers', go: to('/vouchers') },
  { id: 'branches', label: 'Branches', icon: ICONS.store, feature: 'branches', go: to('/branches') },
  { id: 'adhoc', label: 'Adhoc branches', icon: ICONS.store, feature: 'branches', go: to('/branches/adhoc') },
  { id: 'of-masters', label: 'Branches of masters', icon: ICONS.store, feature: 'masters', go: to('/branches/master') },
  { id: 'masters', label: 'Masters', icon: ICONS.masters, feature: 'masters', go: to('/masters') },
  {
    id: 'transactions',
    label: 'Transaction Report',
    icon: ICONS.chart,
    feature: 'reports',
    go: to('/reports/transaction-report'),
  },
  { id: 'monthly', label: 'Monthly Report', icon: ICONS.chart, feature: 'reports', go: to('/reports/monthly-report') },
  { id: 'daily', label: 'Daily Report', icon: ICONS.chart, feature: 'reports', go: to('/reports/daily-report') },
  { id: 'resources', label: 'Resources', icon: ICONS.book, feature: 'resources', go: to('/resources') },
  { id: 'downloads', label: 'Downloads', icon: ICONS.download, feature: 'downloads', go: to('/downloads') },
  { id: 'activity', label: 'Activity log', icon: ICONS.clock, feature: 'activity', go: to('/activity') },
  { id: 'profile', label: 'Profile', icon: ICONS.user, feature: 'profile', go: to('/profile') },
  { id: 'device', label: 'This device', icon: ICONS.lock, go: to('/settings/device') },
  { id: 'devices', label: 'Devices', icon: ICONS.store, feature: 'pos', go: to('/devices') },
  { id: 'help', label: 'Help', icon: ICONS.book, go: to('/help') },
]

const ACTIONS: Command[] = [
  {
    id: 'new-branch',
    label: 'New branch',
    icon: ICONS.plus,
    feature: 'branches',
    action: 'create',
    needsConnection: true,
    go: record('/branches/$type'),
  },
  {
    id: 'new-adhoc',
    label: 'New adhoc branch',
    icon: ICONS.plus,
    feature: 'branches',
    action: 'create',
    needsConnection: true,
    go: record('/branches/$type', { kind: 'adhoc' }),
  },
  {
    id: 'new-master',
    label: 'New master',
    icon: ICONS.plus,
    feature: 'masters',
    action: 'create',
    needsConnection: true,
    go: record('/masters/$type'),
  },
  {
    id: 'import-branches',
    label: 'Import branches',
    icon: ICONS.upload,
    feature: 'branches',
    action: 'create',
    go: to('/imports/branches'),
  },
  {
    id: 'import-pos',
    label: 'Import POS users',
    icon: ICONS.upload,
    feature: 'pos',
    action: 'create',
    go: to('/imports/pos-users'),
  },
  {
    id: 'get-transactions',
    label: 'Download transaction report',
    icon: ICONS.download,
    feature: 'reports',
    action: 'download',
    go: to('/reports/transaction-report'),
  },
  {
    id: 'get-monthly',
    label: 'Download monthly report',
    icon: ICONS.download,
    feature: 'reports',
    action: 'download',
    go: to('/reports/monthly-report'),
  },
  {
    id: 'edit-profile',
    label: 'Edit profile',
    icon: ICONS.user,
    feature: 'profile',
    action: 'edit',
    go: to('/profile/edit'),
  },
  {
    id: 'password',
    label: 'Change password',
    detail: 'Profile, Security',
    icon: ICONS.lock,
    feature: 'profile',
    action: 'edit',
    go: { to: '/profile', hash: 'security' },
  },
  { id: 'sidebar', label: 'Show or hide sidebar', icon: ICONS.menu, go: toggleSidebar },
  { id: 'shortcuts', label: 'Keyboard shortcuts', icon: ICONS.q, go: openShortcuts },
  { id: 'logout', label: 'Log out', icon: ICONS.out, go: () => void signOut() },
]
