import type { ViewList } from '../../../contract/viewLists.ts'
import { TODAY, type ViewState } from '../../../contract/views.ts'
import { defaultViewState } from '../../../domain/viewState.ts'

export interface BuiltInView {
  /** In the URL. */
  id: string
  name: string
  state: ViewState
  saved: undefined
}

const filtered =
  (id: string, name: string, filter: Record<string, string>) =>
  (list: ViewList): BuiltInView => {
    const { q, sort, dir, size } = defaultViewState(list)
    return { id, name, state: { q, sort, dir, size, filter, hidden: [] }, saved: undefined }
  }

const inactive = filtered('inactive', 'Inactive', { status: 'Inactive' })
const branchViews = [
  filtered('pending', 'Pending invitations', { account_status: 'Pending Activation' }),
  inactive,
] as const
const FITTING: Record<ViewList, readonly ((list: ViewList) => BuiltInView)[]> = {
  voucher: [filtered('today', 'Today', { used_from: TODAY, used_to: TODAY })],
  master: [filtered('pending', 'Pending invitations', { status: 'Pending Activation' }), inactive],
  branch: branchViews,
  'branch/master': branchViews,
  'branch/adhoc': branchViews,
  pos: [inactive],
  resources: [],
  activity: [filtered('today', 'Today', { from: TODAY, to: TODAY })],
}

/** Views that everybody has of a list, where they fit it. A day is the one on which they are opened. */
export const builtInViews = (list: ViewList): readonly BuiltInView[] => FITTING[list].map((make) => make(list))
