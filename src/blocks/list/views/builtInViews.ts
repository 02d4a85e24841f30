import type { ViewList } from '../../../contract/viewLists.ts'
import { TODAY, type ViewState } from '../../../contract/views.ts'
import { TABLE_DEFAULTS } from '../../../domain/tableState.ts'

export interface BuiltInView {
  /** In the URL. */
  id: string
  name: string
  state: ViewState
  saved: undefined
}

const { q, sort, dir, size } = TABLE_DEFAULTS
const filtered = (id: string, name: string, filter: Record<string, string>): BuiltInView => ({
  id,
  name,
  state: { q, sort, dir, size, filter, hidden: [] },
  saved: undefined,
})

const today = (sort: string, filter: Record<string, string>): BuiltInView => {
  const { state, ...view } = filtered('today', 'Today', filter)
  return { ...view, state: { ...state, sort } }
}

const inactive = filtered('inactive', 'Inactive', { status: 'Inactive' })
const branchViews = [
  filtered('pending', 'Pending invitations', { account_status: 'Pending Activation' }),
  inactive,
] as const

/** Views that everybody has of a list, where they fit it. A day is the one on which they are opened. */
export const BUILT_IN_VIEWS: Record<ViewList, readonly BuiltInView[]> = {
  voucher: [today(TABLE_DEFAULTS.sort, { used_from: TODAY, used_to: TODAY })],
  master: [filtered('pending', 'Pending invitations', { status: 'Pending Activation' }), inactive],
  branch: branchViews,
  'branch/master': branchViews,
  'branch/adhoc': branchViews,
  pos: [inactive],
  resources: [],
  activity: [today('at', { from: TODAY, to: TODAY })],
}
