import * as v from 'valibot'
import type { Feature } from './accounts/permissions.ts'
import { endpoint } from './endpoint.ts'
import { guid, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { byId, revision } from './tables/resourceEndpoints.ts'
import {
  ACTIVITY_COLUMNS,
  ACTIVITY_FILTERS,
  BRANCH_COLUMNS,
  BRANCH_FILTERS,
  DEVICE_COLUMNS,
  DEVICE_FILTERS,
  LOSS_COLUMNS,
  LOSS_FILTERS,
  MASTER_COLUMNS,
  MASTER_FILTERS,
  PAGE_SIZES,
  POS_COLUMNS,
  POS_FILTERS,
  RESOURCE_COLUMNS,
  SEARCH_LENGTH,
  VOUCHER_COLUMNS,
  VOUCHER_FILTERS,
} from './tables/tableColumns.ts'
import { listOf, optionalText } from './wireFields.ts'

/** In the place of a day: the day on which the view is opened. */
export const TODAY = 'today'

/** What a view says of its table. A page is none of it: a view opens at its beginning. */
export const ViewState = v.strictObject({
  q: optionalText(SEARCH_LENGTH),
  filter: v.record(v.string(), optionalText(64)),
  sort: v.string(),
  dir: v.picklist(['asc', 'desc']),
  size: v.picklist(PAGE_SIZES),
  /** Columns that are switched off. */
  hidden: listOf(v.string(), 20),
})

export type ViewState = v.InferOutput<typeof ViewState>

/** Whether a state is one of this list: its columns and filters, and no others. */
export function fitsList(list: string, { filter, sort, hidden }: ViewState): boolean {
  const known = viewedList(list)
  return (
    known !== undefined &&
    known.sorts.includes(sort) &&
    Object.keys(filter).every((name) => known.filters.includes(name)) &&
    hidden.every((column) => known.columns.includes(column))
  )
}

export const View = v.object({
  guid,
  /** One of VIEW_LISTS; a newer server may have more. */
  list: v.string(),
  name: v.string(),
  /** Everybody of the organisation who sees the list may open it; only its owner changes it. */
  shared: v.boolean(),
  mine: v.boolean(),
  /** Whose it is, for people. */
  owner: v.string(),
  /** Mine for this list, whoever owns the view. */
  is_default: v.boolean(),
  revision,
  /** Read with `readViewState`: a column may have gone since. */
  state: v.object({
    q: v.string(),
    filter: v.record(v.string(), v.string()),
    sort: v.string(),
    dir: v.picklist(['asc', 'desc']),
    size: v.picklist(PAGE_SIZES),
    hidden: v.array(v.string()),
  }),
})

export type View = v.InferOutput<typeof View>

const name = text(LIMITS.viewNameLength)

const edit = { name, shared: v.boolean(), is_default: v.boolean(), state: ViewState }

const to = { base: 'api', access: { feature: 'profile', action: 'edit' } } as const

export const listViews = endpoint({
  base: 'api',
  method: 'GET',
  path: '/view/list',
  access: { feature: 'profile', action: 'view' },
  summary: 'My views of every list and those shared with me, by name',
  answer: v.array(View),
})

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
  branch: { ...branches, columns: ['code', 'status', 'master', 'pos_users', 'account_status', 'last_sign_in_at'] },
  'branch/master': {
    ...branches,
    columns: ['code', 'status', 'master', 'pos_users', 'account_status', 'last_sign_in_at'],
  },
  'branch/adhoc': {
    ...branches,
    columns: ['code', 'status', 'from_day', 'pos_users', 'account_status', 'last_sign_in_at'],
  },
  pos: { feature: 'pos', sorts: POS_COLUMNS, filters: POS_FILTERS, columns: ['last_login', 'status', 'password'] },
  device: {
    feature: 'pos',
    sorts: DEVICE_COLUMNS,
    filters: DEVICE_FILTERS,
    columns: ['state', 'waiting', 'heard_at', 'user', 'branch'],
  },
  loss: {
    feature: 'reports',
    sorts: LOSS_COLUMNS,
    filters: LOSS_FILTERS,
    columns: ['outcome', 'cents', 'accepted_at', 'till', 'reviewed'],
  },
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
    columns: ['actor', 'branch', 'device', 'at'],
  },
} as const satisfies Record<string, ViewedList>

const VIEW_LIST_NAMES = Object.keys(VIEW_LISTS) as [ViewList, ...ViewList[]]

export const createView = endpoint({
  ...to,
  method: 'POST',
  path: '/view',
  summary: 'Save a view of a list',
  body: v.pipe(
    v.strictObject({ list: v.picklist(VIEW_LIST_NAMES), ...edit }),
    v.forward(
      v.check(({ list, state }) => fitsList(list, state), 'has a column or filter that the list does not have'),
      ['state'],
    ),
  ),
  answer: View,
  errors: ['NAME_TAKEN', 'VIEW_LIMIT'],
})

export const updateView = endpoint({
  ...to,
  method: 'PUT',
  path: '/view/:id',
  summary: 'Change a view of mine',
  params: byId,
  body: v.strictObject({ ...edit, revision }),
  answer: View,
  errors: ['NAME_TAKEN', 'STALE_REVISION'],
})

export const removeView = endpoint({
  ...to,
  method: 'DELETE',
  path: '/view/:id',
  summary: 'Delete a view of mine',
  params: byId,
  answer: v.object({ deleted: v.literal(true) }),
})

export const setDefaultView = endpoint({
  ...to,
  method: 'POST',
  path: '/view/default',
  summary: 'Choose the view that a list opens with for me, mine or shared; null for none',
  body: v.strictObject({ list: v.picklist(VIEW_LIST_NAMES), view_guid: v.nullable(guid) }),
  answer: v.object({ view_guid: v.nullable(guid) }),
})

interface ViewedList {
  /** Who may see the list may see its views. */
  feature: Feature
  sorts: readonly string[]
  filters: readonly string[]
  /** Columns that a person may switch off: all but the first, which names the row. */
  columns: readonly string[]
}

export type ViewList = keyof typeof VIEW_LISTS

/** What is known of a list; `undefined` for one that there is not. */
export const viewedList = (name: string): ViewedList | undefined =>
  Object.hasOwn(VIEW_LISTS, name) ? VIEW_LISTS[name as ViewList] : undefined

/** What a list is sorted by when nobody has chosen: when its rows came, where it can be. */
export function defaultSort(list: string): string {
  const sorts = viewedList(list)?.sorts ?? []
  return sorts.includes('guid') ? 'guid' : (sorts[0] ?? 'guid')
}
