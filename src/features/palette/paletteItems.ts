import * as v from 'valibot'
import { signOut } from '../../blocks/accounts/signOut.ts'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { LIST_VIEWS, openView, type ViewList } from '../../blocks/views/builtInViews.ts'
import type { Action, Feature, PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { formatSerial, serialFromScan } from '../../domain/vouchers.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { REFERENCE_LISTS } from '../../offline/store/referenceLists.ts'
import { toggleSidebar } from '../../state/shell.ts'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'

/** Where an item leads, in the router's form. */
interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  hash?: string
}

/** A page, a command, a view or a record. */
export interface Item {
  id: string
  label: string
  /** What it is. */
  detail: string
  /** Searched, and not shown: what people call it elsewhere. */
  keywords?: string | undefined
  icon: Drawing
  go: Place | (() => void)
  /** Why it cannot be done now. */
  needs?: string | undefined
}

interface Command extends Omit<Item, 'id' | 'needs' | 'detail'> {
  /** Without one the command is open to every merchant. */
  feature?: Feature
  action?: Action
  needsConnection?: true
}

const to = (path: string): Place => ({ to: path })

const COMMANDS: Command[] = [
  {
    label: 'Create branch',
    keywords: 'new add shop outlet',
    icon: ICONS.plus,
    feature: 'branches',
    action: 'create',
    needsConnection: true,
    go: { to: '/branches/$type', params: { type: 'create' } },
  },
  {
    label: 'Create adhoc branch',
    keywords: 'new add event stall',
    icon: ICONS.plus,
    feature: 'branches',
    action: 'create',
    needsConnection: true,
    go: { to: '/branches/$type', params: { type: 'create' }, search: { kind: 'adhoc' } },
  },
  {
    label: 'Create master',
    keywords: 'new add manager invite',
    icon: ICONS.plus,
    feature: 'masters',
    action: 'create',
    needsConnection: true,
    go: { to: '/masters/$type', params: { type: 'create' } },
  },
  {
    label: 'Import branches',
    keywords: 'csv excel upload',
    icon: ICONS.upload,
    feature: 'branches',
    action: 'create',
    go: to('/imports/branches'),
  },
  {
    label: 'Import POS users',
    keywords: 'csv excel upload cashiers',
    icon: ICONS.upload,
    feature: 'pos',
    action: 'create',
    go: to('/imports/pos-users'),
  },
  {
    label: 'Edit profile',
    keywords: 'address contact bank',
    icon: ICONS.user,
    feature: 'profile',
    action: 'edit',
    go: to('/profile/edit'),
  },
  {
    label: 'Change password',
    keywords: 'security',
    icon: ICONS.lock,
    feature: 'profile',
    action: 'edit',
    go: { to: '/profile', hash: 'security' },
  },
  { label: 'Show or hide sidebar', keywords: 'menu navigation', icon: ICONS.menu, go: toggleSidebar },
  { label: 'Log out', keywords: 'leave exit', icon: ICONS.out, go: () => void signOut() },
]

const PAGES: Command[] = [
  { label: 'Dashboard', keywords: 'home overview', icon: ICONS.chart, feature: 'dashboard', go: to('/dashboard') },
  {
    label: 'Vouchers',
    keywords: 'redemptions serial',
    icon: ICONS.ticket,
    feature: 'vouchers',
    go: to('/vouchers'),
  },
  {
    label: 'Branches',
    keywords: 'shops outlets POS users cashiers PIN',
    icon: ICONS.store,
    feature: 'branches',
    go: to('/branches'),
  },
  {
    label: 'Adhoc branches',
    keywords: 'events stalls',
    icon: ICONS.store,
    feature: 'branches',
    go: to('/branches/adhoc'),
  },
  { label: 'Branches of masters', icon: ICONS.store, feature: 'masters', go: to('/branches/master') },
  { label: 'Masters', keywords: 'managers brands', icon: ICONS.masters, feature: 'masters', go: to('/masters') },
  {
    label: 'Transaction Report',
    keywords: 'download redemptions sales csv xlsx excel export',
    icon: ICONS.chart,
    feature: 'reports',
    go: to('/reports/transaction-report'),
  },
  {
    label: 'Monthly Report',
    keywords: 'download sums csv xlsx excel export',
    icon: ICONS.chart,
    feature: 'reports',
    go: to('/reports/monthly-report'),
  },
  {
    label: 'Daily Report',
    keywords: 'download settle tills csv xlsx excel export',
    icon: ICONS.chart,
    feature: 'reports',
    go: to('/reports/daily-report'),
  },
  {
    label: 'Resources',
    keywords: 'guidelines terms posters files',
    icon: ICONS.book,
    feature: 'resources',
    go: to('/resources'),
  },
  { label: 'Downloads', keywords: 'files saved', icon: ICONS.download, feature: 'downloads', go: to('/downloads') },
  {
    label: 'Activity log',
    keywords: 'history audit who voided refund',
    icon: ICONS.clock,
    feature: 'activity',
    go: to('/activity'),
  },
  { label: 'Profile', keywords: 'company account settings', icon: ICONS.user, feature: 'profile', go: to('/profile') },
  {
    label: 'Devices',
    keywords: 'tills tablets counters add enrol lost',
    icon: ICONS.store,
    feature: 'pos',
    go: to('/devices'),
  },
  {
    label: 'This device',
    keywords: 'till offline printer sound storage settings',
    icon: ICONS.lock,
    go: to('/settings/device'),
  },
  { label: 'Help', keywords: 'support contact phone questions', icon: ICONS.q, go: to('/help') },
]

const VIEWED: [list: ViewList, path: string, of: string, feature: Feature][] = [
  ['voucher', '/vouchers', 'Vouchers', 'vouchers'],
  ['branch', '/branches', 'Branches', 'branches'],
  ['master', '/masters', 'Masters', 'masters'],
  ['device', '/devices', 'Devices', 'pos'],
  ['activity', '/activity', 'Activity log', 'activity'],
]

/** What this person may do, open and look at, by the same permissions as sidebar, guards and server: commands first. */
export function commandItems(user: User, permissions: PermissionMap, isOffline: boolean): Item[] {
  const sees = (feature: Feature | undefined, action: Action = 'view') =>
    !feature || may(user, { feature, action }, permissions)
  const items = (detail: string, all: readonly Command[]) =>
    all
      .filter(({ feature, action }) => sees(feature, action))
      .map(({ label, keywords, icon, go, needsConnection }): Item => {
        const needs = needsConnection && isOffline ? 'Needs a connection' : undefined
        return { id: `${detail}/${label}`, label, detail, keywords, icon, go, needs }
      })
  const views = VIEWED.filter(([, , , feature]) => sees(feature)).flatMap(([list, path, of]) =>
    LIST_VIEWS[list].builtIn.map((view): Item => {
      const { name } = view
      const keywords = name === 'Voided' ? 'void refund' : undefined
      const go = { to: path, search: openView(list, view.state) }
      return { id: `${list}/${name}`, label: name, detail: `View of ${of}`, keywords, icon: ICONS.filter, go }
    }),
  )
  return [...items('Command', COMMANDS), ...items('Page', PAGES), ...views]
}

const KEPT_LISTS = ['branches', 'masters', 'posUsers'] as const

const FEATURES = { branches: 'branches', masters: 'masters', posUsers: 'pos' } as const

const visibleLists = (user: User, permissions: PermissionMap) =>
  KEPT_LISTS.filter((key) => may(user, { feature: FEATURES[key], action: 'view' }, permissions))

/** Asks the server for the lists whose records this person may open. What fails leaves what is stored. */
export const refreshRecords = (user: User, permissions: PermissionMap) =>
  Promise.allSettled(visibleLists(user, permissions).map((key) => refreshReferenceList(user.guid, key)))

/** The records of the lists that this device has. Needs no connection. */
export async function recordItems(user: User, permissions: PermissionMap): Promise<Item[]> {
  const keys = visibleLists(user, permissions)
  const rows = await userStore(user.guid)
    .lists.bulkGet([...keys])
    .catch(() => [])
  return keys.flatMap((key, at) => {
    const data: unknown = rows[at]?.data
    switch (key) {
      case 'branches':
        return parsed(REFERENCE_LISTS.branches.answer, data).map(({ guid, name }): Item => {
          const go = { to: '/branches/$type/$id', params: { type: guid, id: 'view' } }
          return { id: guid, label: name, detail: 'Branch', icon: ICONS.store, go }
        })
      case 'masters':
        return parsed(REFERENCE_LISTS.masters.answer, data).map(({ guid, name }): Item => {
          const go = { to: '/masters/$type/$id', params: { type: guid, id: 'edit' } }
          return { id: guid, label: name, detail: 'Master', icon: ICONS.masters, go }
        })
      case 'posUsers':
        return parsed(REFERENCE_LISTS.posUsers.answer, data).map(({ guid, name, branch_guid, branch_name }): Item => {
          // A branch finds its POS users under its profile.
          const isOwn = user.type === 'Branch Merchant'
          const go = isOwn
            ? { to: '/profile', search: { q: name } }
            : { to: '/branches/$type/$id', params: { type: branch_guid, id: 'view' }, search: { tab: 'pos', q: name } }
          return { id: guid, label: name, detail: `POS user, ${branch_name}`, icon: ICONS.user, go }
        })
    }
  })
}

function parsed<T>(schema: v.GenericSchema<unknown, T[]>, data: unknown): T[] {
  const list = v.safeParse(schema, data)
  return list.success ? list.output : []
}

/** For a serial that was typed or scanned, at least eight digits of it. */
export function serialItem(typed: string): Item | undefined {
  const digits = serialFromScan(typed).replaceAll(/[\s-]/g, '')
  if (!/^\d{8,13}$/.test(digits)) return undefined
  const go = { to: '/vouchers', search: { q: digits } }
  return { id: 'serial', label: `Find voucher ${formatSerial(digits)}`, detail: 'Vouchers', icon: ICONS.search, go }
}
