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

/** The destination of an item, in the router's form. */
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
  /** The kind of item. */
  detail: string
  /** Other names of the item, searched but not shown. */
  keywords?: string | undefined
  icon: Drawing
  go: Place | (() => void)
  /** What is missing, if the item cannot run now: `Needs a connection`. */
  needs?: string | undefined
}

/** An entry without a feature is for every merchant. */
type Entry = [label: string, go: Item['go'], icon: Drawing, keywords: string, feature?: Feature, action?: Action]

const NEW_BRANCH = { to: '/branches/$type', params: { type: 'create' } }
const NEW_ADHOC = { ...NEW_BRANCH, search: { kind: 'adhoc' } }
const NEW_MASTER = { to: '/masters/$type', params: { type: 'create' } }
const FILE_KEYWORDS = 'csv xlsx excel export'

/** These entries need a connection. */
const CREATE_COMMANDS: Entry[] = [
  ['Create branch', NEW_BRANCH, ICONS.plus, 'new add shop outlet', 'branches', 'create'],
  ['Create adhoc branch', NEW_ADHOC, ICONS.plus, 'new add event stall', 'branches', 'create'],
  ['Create master', NEW_MASTER, ICONS.plus, 'new add manager invite', 'masters', 'create'],
]

const COMMANDS: Entry[] = [
  ['Import branches', { to: '/imports/branches' }, ICONS.upload, 'csv excel upload', 'branches', 'create'],
  ['Import POS users', { to: '/imports/pos-users' }, ICONS.upload, 'csv excel upload cashiers', 'pos', 'create'],
  ['Edit profile', { to: '/profile/edit' }, ICONS.user, 'address contact bank', 'profile', 'edit'],
  ['Change password', { to: '/profile', hash: 'security' }, ICONS.lock, 'security', 'profile', 'edit'],
  ['Show or hide sidebar', toggleSidebar, ICONS.menu, 'menu navigation'],
  ['Log out', () => void logOut(), ICONS.out, 'leave exit'],
]

const PAGES: Entry[] = [
  ['Dashboard', { to: '/dashboard' }, ICONS.chart, 'home overview', 'dashboard'],
  ['Vouchers', { to: '/vouchers' }, ICONS.ticket, 'redemptions serial', 'vouchers'],
  ['Branches', { to: '/branches' }, ICONS.store, 'shops outlets POS users cashiers PIN', 'branches'],
  ['Adhoc branches', { to: '/branches/adhoc' }, ICONS.store, 'events stalls', 'branches'],
  ['Branches of masters', { to: '/branches/master' }, ICONS.store, '', 'masters'],
  ['Masters', { to: '/masters' }, ICONS.masters, 'managers brands', 'masters'],
  [
    'Transaction Report',
    { to: '/reports/transaction-report' },
    ICONS.chart,
    `download redemptions sales ${FILE_KEYWORDS}`,
    'reports',
  ],
  ['Monthly Report', { to: '/reports/monthly-report' }, ICONS.chart, `download sums ${FILE_KEYWORDS}`, 'reports'],
  ['Daily Report', { to: '/reports/daily-report' }, ICONS.chart, `download settle tills ${FILE_KEYWORDS}`, 'reports'],
  ['Payments', { to: '/payments' }, ICONS.money, 'paid due statement money bank pdf csv', 'payments'],
  ['Resources', { to: '/resources' }, ICONS.book, 'guidelines terms posters files', 'resources'],
  ['Downloads', { to: '/downloads' }, ICONS.download, 'files saved', 'downloads'],
  ['Activity', { to: '/activity' }, ICONS.clock, 'history audit who voided refund', 'activity'],
  ['Profile', { to: '/profile' }, ICONS.user, 'company account settings', 'profile'],
  ['Devices', { to: '/devices' }, ICONS.tablet, 'tills tablets counters add enrol lost', 'pos'],
  ['This device', { to: '/settings/device' }, ICONS.lock, 'till offline printer sound storage settings'],
  ['Help', { to: '/help' }, ICONS.question, 'support contact phone questions'],
]

const LISTS_WITH_VIEWS: [list: ViewList, path: string, pageName: string, feature: Feature][] = [
  ['voucher', '/vouchers', 'Vouchers', 'vouchers'],
  ['branch', '/branches', 'Branches', 'branches'],
  ['master', '/masters', 'Masters', 'masters'],
  ['device', '/devices', 'Devices', 'pos'],
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
      .filter(([, , , , feature, action]) => isAllowed(feature, action))
      .map(([label, go, icon, keywords]): Item => ({
        id: `${detail}/${label}`,
        label,
        detail,
        keywords,
        icon,
        go,
        needs,
      }))
  const views = LISTS_WITH_VIEWS.filter(([, , , feature]) => isAllowed(feature)).flatMap(([list, path, pageName]) =>
    LIST_VIEWS[list].builtIn.map(({ name, state }): Item => {
      const keywords = name === 'Voided' ? 'void refund' : undefined
      const go = { to: path, search: stateOfView(list, state) }
      return { id: `${list}/${name}`, label: name, detail: `View of ${pageName}`, keywords, icon: ICONS.filter, go }
    }),
  )
  return [
    ...itemsOf('Command', CREATE_COMMANDS, isOffline ? 'Needs a connection' : undefined),
    ...itemsOf('Command', COMMANDS),
    ...itemsOf('Page', PAGES),
    ...views,
  ]
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
