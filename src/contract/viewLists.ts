import type { Feature } from './accounts/permissions.ts'
import {
  ACTIVITY_COLUMNS,
  ACTIVITY_FILTERS,
  BRANCH_COLUMNS,
  BRANCH_FILTERS,
  MASTER_COLUMNS,
  MASTER_FILTERS,
  POS_COLUMNS,
  POS_FILTERS,
  RESOURCE_COLUMNS,
  VOUCHER_COLUMNS,
  VOUCHER_FILTERS,
} from './tables/tableColumns.ts'

interface ViewedList {
  /** Who may see the list may see its views. */
  feature: Feature
  sorts: readonly string[]
  filters: readonly string[]
  /** Columns that a person may switch off: all but the first, which names the row. */
  columns: readonly string[]
}

const branches = { feature: 'branches', sorts: BRANCH_COLUMNS, filters: BRANCH_FILTERS } as const

/** The tables that views are saved of, by the name of their list. */
export const VIEW_LISTS = {
  voucher: {
    feature: 'vouchers',
    sorts: VOUCHER_COLUMNS,
    filters: VOUCHER_FILTERS,
    columns: ['denomination', 'status', 'date_used', 'branch', 'expires_on'],
  },
  master: {
    feature: 'masters',
    sorts: MASTER_COLUMNS,
    filters: MASTER_FILTERS,
    columns: ['email', 'status', 'branches', 'last_sign_in_at', 'created_at'],
  },
  branch: { ...branches, columns: ['code', 'status', 'master', 'pos_users', 'last_sign_in_at'] },
  'branch/master': { ...branches, columns: ['code', 'status', 'master', 'pos_users', 'last_sign_in_at'] },
  'branch/adhoc': { ...branches, columns: ['code', 'status', 'from_day', 'pos_users', 'last_sign_in_at'] },
  pos: { feature: 'pos', sorts: POS_COLUMNS, filters: POS_FILTERS, columns: ['last_login', 'status', 'password'] },
  resources: {
    feature: 'resources',
    sorts: RESOURCE_COLUMNS,
    filters: [],
    columns: ['size', 'updated_at', 'device', 'file'],
  },
  activity: {
    feature: 'activity',
    sorts: ACTIVITY_COLUMNS,
    filters: ACTIVITY_FILTERS,
    columns: ['actor', 'device', 'at'],
  },
} as const satisfies Record<string, ViewedList>

export type ViewList = keyof typeof VIEW_LISTS
export const VIEW_LIST_NAMES = Object.keys(VIEW_LISTS) as [ViewList, ...ViewList[]]

/** What is known of a list; `undefined` for one of another release. */
export const viewedList = (name: string): ViewedList | undefined =>
  Object.hasOwn(VIEW_LISTS, name) ? VIEW_LISTS[name as ViewList] : undefined

/** What a list is sorted by when nobody has chosen: when its rows came, where it can be. */
export function defaultSort(list: string): string {
  const sorts = viewedList(list)?.sorts ?? []
  return sorts.includes('guid') ? 'guid' : (sorts[0] ?? 'guid')
}
