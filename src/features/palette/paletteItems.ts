import * as v from 'valibot'
import { logOut } from '../../blocks/accounts/logOut.ts'
import { LIST_VIEWS, stateOfView, type ViewList } from '../../blocks/views/builtInViews.ts'
import type { Action, Feature, PermissionMap } from '../../contract/accounts/permissions.ts'
import type { User } from '../../contract/accounts/user.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { REFERENCE_LISTS } from '../../offline/store/referenceLists.ts'
import { toggleSidebar } from '../../state/shell.ts'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { SYNONYMS } from './synonyms.ts'

/** The destination of an item, in the router's form. */
interface Place {
  to: string
  params?: Record<string, string>
  search?: Record<string, unknown>
  hash?: string
}

/** A page, a command, a view, a record, or the answer to a question. */
export interface Item {
  id: string
  label: string
  /** The kind of item. */
  detail: string
  /** The answer to a question, shown below the label. */
  answer?: string | undefined
  icon: Drawing
  go: Place | (() => void)
  /** The missing condition, if the item cannot run now: `Needs a connection`. */
  needs?: string | undefined
}

/** An entry without a feature is for every merchant. */
type Entry = [label: keyof typeof SYNONYMS, go: Item['go'], icon: Drawing, feature?: Feature, action?: Action]

const NEW_BRANCH = { to: '/branches/$type', params: { type: 'create' } }
const NEW_ADHOC = { ...NEW_BRANCH, search: { kind: 'adhoc' } }
const NEW_MASTER = { to: '/masters/$type', params: { type: 'create' } }

/** These entries need a connection. */
const CREATE_COMMANDS: Entry[] = [
  ['Create branch', NEW_BRANCH, ICONS.plus, 'branches', 'create'],
  ['Create adhoc branch', NEW_ADHOC, ICONS.plus, 'branches', 'create'],
  ['Create master', NEW_MASTER, ICONS.plus, 'masters', 'create'],
]

const COMMANDS: Entry[] = [
  ['Import branches', { to: '/imports/branches' }, ICONS.upload, 'branches', 'create'],
  ['Import POS users', { to: '/imports/pos-users' }, ICONS.upload, 'pos', 'create'],
  ['Edit profile', { to: '/profile/edit' }, ICONS.user, 'profile', 'edit'],
  ['Change password', { to: '/profile', hash: 'security' }, ICONS.lock, 'profile', 'edit'],
  ['Show or hide sidebar', toggleSidebar, ICONS.menu],
  ['Logout', () => void logOut(), ICONS.out],
]

const PAGES: Entry[] = [
  ['Dashboard', { to: '/dashboard' }, ICONS.chart, 'dashboard'],
  ['Vouchers', { to: '/vouchers' }, ICONS.ticket, 'vouchers'],
  ['Branches', { to: '/branches' }, ICONS.store, 'branches'],
  ['Adhoc branches', { to: '/branches/adhoc' }, ICONS.store, 'branches'],
  ['Branches of masters', { to: '/branches/master' }, ICONS.store, 'masters'],
  ['Masters', { to: '/masters' }, ICONS.masters, 'masters'],
  ['Transaction Report', { to: '/reports/transaction-report' }, ICONS.chart, 'reports'],
  ['Monthly Report', { to: '/reports/monthly-report' }, ICONS.chart, 'reports'],
  ['Daily Report', { to: '/reports/daily-report' }, ICONS.chart, 'reports'],
  ['Payments', { to: '/payments' }, ICONS.money, 'payments'],
  ['Resources', { to: '/resources' }, ICONS.book, 'resources'],
  ['Downloads', { to: '/downloads' }, ICONS.download, 'downloads'],
  ['Activity', { to: '/activity' }, ICONS.clock, 'activity'],
  ['Profile', { to: '/profile' }, ICONS.user, 'profile'],
  ['Tills', { to: '/devices' }, ICONS.tablet, 'pos'],
  ['This device', { to: '/settings/device' }, ICONS.lock],
  ['Help', { to: '/help' }, ICONS.question],
  ['How to undo a redemption', { to: '/help' }, ICONS.question],
]

const LISTS_WITH_VIEWS: [list: ViewList, path: string, pageName: string, feature: Feature][] = [
  ['voucher', '/vouchers', 'Vouchers', 'vouchers'],
  ['branch', '/branches', 'Branches', 'branches'],
  ['master', '/masters', 'Masters', 'masters'],
  ['device', '/devices', 'Tills', 'pos'],
  ['activity', '/activity', 'Activity', 'activity'],
]

/**
 * Returns the commands, pages and views that this person may use, commands first. The permissions are those of the sidebar,
 * the guards and the server.
 */
export function commandItems(user: User, permissions: PermissionMap, isOffline: boolean): Item[] {
  const isAllowed = (feature: Feature | undefined, action: Action = 'view') =>
    !feature || may(user, { feature, action }, permissions)
  const itemsOf = (detail: string, entries: Entry[], needs?: string) =>
    entries
      .filter(([, , , feature, action]) => isAllowed(feature, action))
      .map(([label, go, icon]): Item => ({ id: `${detail}/${label}`, label, detail, icon, go, needs }))
  const views = LISTS_WITH_VIEWS.filter(([, , , feature]) => isAllowed(feature)).flatMap(([list, path, pageName]) =>
    LIST_VIEWS[list].builtIn.map(({ name, state }): Item => {
      const go = { to: path, search: stateOfView(list, state) }
      return { id: `${list}/${name}`, label: name, detail: `View of ${pageName}`, icon: ICONS.filter, go }
    }),
  )
  return [
    ...itemsOf('Command', CREATE_COMMANDS, isOffline ? 'Needs a connection' : undefined),
    ...itemsOf('Command', COMMANDS),
    ...itemsOf('Page', PAGES),
    // A branch has its POS users under its profile, an organisation under each branch.
    ...itemsOf('Page', [['POS users', { to: user.branch_guid ? '/profile' : '/branches' }, ICONS.user, 'pos']]),
    ...views,
  ]
}

/** Returns what a person can do about a text that finds nothing on this device. */
export function noMatchItems(typed: string, user: User, permissions: PermissionMap): Item[] {
  const q = typed.trim()
  const activity: Item = {
    id: 'search activity',
    label: `Search activity for “${q}”`,
    detail: 'Activity',
    icon: ICONS.search,
    go: { to: '/activity', search: { q } },
  }
  const help: Item = { id: 'help', label: 'Look in Help', detail: 'Help', icon: ICONS.question, go: { to: '/help' } }
  return [...(may(user, { feature: 'activity', action: 'view' }, permissions) ? [activity] : []), help]
}

const LIST_FEATURES = { branches: 'branches', masters: 'masters', posUsers: 'pos' } as const

/** The lists whose records this person may open. */
export const visibleLists = (user: User, permissions: PermissionMap) =>
  (['branches', 'masters', 'posUsers'] as const).filter((key) =>
    may(user, { feature: LIST_FEATURES[key], action: 'view' }, permissions),
  )

/** Returns the records of the lists that are stored on this device. Needs no connection. */
export async function recordItems(user: User, permissions: PermissionMap): Promise<Item[]> {
  const { lists } = userStore(user.guid)
  const recordsOf = async (key: keyof typeof LIST_FEATURES): Promise<Item[]> => {
    const data: unknown = (await lists.get(key))?.data
    if (key === 'posUsers')
      return parseList(REFERENCE_LISTS.posUsers.answer, data).map(({ guid, name, branch_guid, branch_name }) => ({
        id: guid,
        label: name,
        detail: `POS user, ${branch_name}`,
        icon: ICONS.user,
        // A branch has its POS users under its profile.
        go:
          user.type === 'Branch Merchant'
            ? { to: '/profile', search: { q: name } }
            : { to: '/branches/$type/$id', params: { type: branch_guid, id: 'view' }, search: { tab: 'pos', q: name } },
      }))
    const [detail, icon, id] =
      key === 'branches' ? (['Branch', ICONS.store, 'view'] as const) : (['Master', ICONS.masters, 'edit'] as const)
    return parseList(REFERENCE_LISTS[key].answer, data).map(({ guid, name }) => {
      const go = { to: `/${key}/$type/$id`, params: { type: guid, id } }
      return { id: guid, label: name, detail, icon, go }
    })
  }
  return (await Promise.all(visibleLists(user, permissions).map(recordsOf))).flat()
}

function parseList<T>(schema: v.GenericSchema<unknown, T[]>, data: unknown): T[] {
  const list = v.safeParse(schema, data)
  return list.success ? list.output : []
}
