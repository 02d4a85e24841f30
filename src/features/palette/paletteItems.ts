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

interface Entry extends Omit<Item, 'id' | 'needs'> {
  /** Without one it is open to every merchant. */
  feature: Feature | undefined
  action: Action
  needsConnection: boolean
}

const page = (label: string, to: string, icon: Drawing, feature?: Feature, keywords?: string): Entry => ({
  label,
  detail: 'Page',
  keywords,
  icon,
  go: { to },
  feature,
  action: 'view',
  needsConnection: false,
})

const command = (label: string, go: Item['go'], icon: Drawing, keywords: string, may?: [Feature, Action]): Entry => ({
  label,
  detail: 'Command',
  keywords,
  icon,
  go,
  feature: may?.[0],
  action: may?.[1] ?? 'view',
  needsConnection: false,
})

const create = (label: string, feature: Feature, go: Place, keywords: string): Entry => ({
  ...command(label, go, ICONS.plus, `new add ${keywords}`, [feature, 'create']),
  needsConnection: true,
})

const NEW_BRANCH = { to: '/branches/$type', params: { type: 'create' } }
const NEW_MASTER = { to: '/masters/$type', params: { type: 'create' } }

const ENTRIES: Entry[] = [
  create('Create branch', 'branches', NEW_BRANCH, 'shop outlet'),
  create('Create adhoc branch', 'branches', { ...NEW_BRANCH, search: { kind: 'adhoc' } }, 'event stall'),
  create('Create master', 'masters', NEW_MASTER, 'manager invite'),
  command('Import branches', { to: '/imports/branches' }, ICONS.upload, 'csv excel upload', ['branches', 'create']),
  command('Import POS users', { to: '/imports/pos-users' }, ICONS.upload, 'csv excel upload cashiers', [
    'pos',
    'create',
  ]),
  command('Edit profile', { to: '/profile/edit' }, ICONS.user, 'address contact bank', ['profile', 'edit']),
  command('Change password', { to: '/profile', hash: 'security' }, ICONS.lock, 'security', ['profile', 'edit']),
  command('Show or hide sidebar', toggleSidebar, ICONS.menu, 'menu navigation'),
  command('Log out', () => void signOut(), ICONS.out, 'leave exit'),
  page('Dashboard', '/dashboard', ICONS.chart, 'dashboard', 'home overview'),
  page('Vouchers', '/vouchers', ICONS.ticket, 'vouchers', 'redemptions serial'),
  page('Branches', '/branches', ICONS.store, 'branches', 'shops outlets POS users cashiers PIN'),
  page('Adhoc branches', '/branches/adhoc', ICONS.store, 'branches', 'events stalls'),
  page('Branches of masters', '/branches/master', ICONS.store, 'masters'),
  page('Masters', '/masters', ICONS.masters, 'masters', 'managers brands'),
  page(
    'Transaction Report',
    '/reports/transaction-report',
    ICONS.chart,
    'reports',
    'download redemptions sales csv xlsx excel export',
  ),
  page('Monthly Report', '/reports/monthly-report', ICONS.chart, 'reports', 'download sums csv xlsx excel export'),
  page('Daily Report', '/reports/daily-report', ICONS.chart, 'reports', 'download settle tills csv xlsx excel export'),
  page('Resources', '/resources', ICONS.book, 'resources', 'guidelines terms posters files'),
  page('Downloads', '/downloads', ICONS.download, 'downloads', 'files saved'),
  page('Activity log', '/activity', ICONS.clock, 'activity', 'history audit who voided refund'),
  page('Profile', '/profile', ICONS.user, 'profile', 'company account settings'),
  page('Devices', '/devices', ICONS.store, 'pos', 'tills tablets counters add enrol lost'),
  page('This device', '/settings/device', ICONS.lock, undefined, 'till offline printer sound storage settings'),
  page('Help', '/help', ICONS.q, undefined, 'support contact phone questions'),
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
  const entries = ENTRIES.filter(({ feature, action }) => sees(feature, action)).map(
    ({ label, detail, keywords, icon, go, needsConnection }): Item => {
      const needs = needsConnection && isOffline ? 'Needs a connection' : undefined
      return { id: `${detail}/${label}`, label, detail, keywords, icon, go, needs }
    },
  )
  const views = VIEWED.filter(([, , , feature]) => sees(feature)).flatMap(([list, path, of]) =>
    LIST_VIEWS[list].builtIn.map((view): Item => {
      const { name } = view
      const keywords = name === 'Voided' ? 'void refund' : undefined
      const go = { to: path, search: openView(list, view.state) }
      return { id: `${list}/${name}`, label: name, detail: `View of ${of}`, keywords, icon: ICONS.filter, go }
    }),
  )
  return [...entries, ...views]
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
