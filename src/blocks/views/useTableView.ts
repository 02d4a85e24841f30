import { useSnapshot } from 'valtio/react'
import { VOIDED } from '../../contract/tables/tableColumns.ts'
import { TODAY, type View, type ViewList, type ViewState } from '../../contract/views.ts'
import { LATEST_REDEMPTIONS, type TableState } from '../../domain/tableState.ts'
import { defaultViewState, openedState, readViewState, showsSame } from '../../domain/viewState.ts'
import { serverNow } from '../../state/auth.ts'
import { columnChoice } from '../../state/columnChoice.ts'
import { columnsKey, useViews } from './savedViews.ts'

/** A view as its list can show it, built in or saved. */
export interface OpenView {
  id: string
  name: string
  state: ViewState
  saved: View | undefined
}

export interface TableView {
  /** Built in, mine, shared: in the order of the menu. */
  all: readonly OpenView[]
  /** The one that the URL names. */
  open: OpenView | undefined
  /** The URL names one that is gone, or was never this person's. */
  missing: boolean
  /** The table shows something else than the view that is open. */
  edited: boolean
  /** The saved views are known. */
  known: boolean
}

/** What the views of a list are to its table as it stands. */
export function useTableView(list: ViewList, state: TableState): TableView {
  const { views, settled } = useViews()
  const choice = useSnapshot(columnChoice).hidden
  const saved = (views ?? [])
    .filter((view) => view.list === list)
    .map((view) => ({ id: view.guid, name: view.name, state: readViewState(list, view.state), saved: view }))
  const all = [...builtInViews(list), ...saved]
  const open = all.find(({ id }) => id === state.view)
  const columns = choice[columnsKey(list, state.view)]
  return {
    all,
    open,
    missing: state.view !== undefined && state.view !== WHOLE_LIST && !open && settled,
    edited: open !== undefined && isEdited(open, state, columns !== undefined),
    known: views !== undefined,
  }
}

/** In the URL where somebody has a default and wants the whole list. */
export const WHOLE_LIST = 'all'

/** Server time: a device with a wrong clock has the same today. */
export const serverDate = (): Date => new Date(serverNow())

export const shows = ({ state }: OpenView, shown: TableState): boolean =>
  showsSame(openedState(state, serverDate()), shown)

/** Nobody chose the built-in default, so it is searched and filtered as a list without a view is. It is about the order. */
function isEdited(open: OpenView, shown: TableState, hasOtherColumns: boolean): boolean {
  if (isBuiltInDefault(open)) return open.state.sort !== shown.sort || open.state.dir !== shown.dir
  return !shows(open, shown) || (open.saved !== undefined && hasOtherColumns)
}

/** The view that stands for an address without a search. */
export const isBuiltInDefault = (view: OpenView | undefined): boolean => view?.id === LATEST_REDEMPTIONS.view

/** What the list opens with: what this person has chosen, else a built-in view. */
export const defaultOf = (all: readonly OpenView[]): OpenView | undefined =>
  all.find(({ saved }) => saved?.is_default) ?? all.find(isBuiltInDefault)

interface BuiltInView {
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

const latest = (list: ViewList): BuiltInView => {
  const { id, name, state } = filtered(LATEST_REDEMPTIONS.view, 'Latest redemptions', {})(list)
  return { id, name, saved: undefined, state: { ...state, sort: LATEST_REDEMPTIONS.sort } }
}

const FITTING: Record<ViewList, readonly ((list: ViewList) => BuiltInView)[]> = {
  voucher: [
    latest,
    filtered('today', 'Today', { used_from: TODAY, used_to: TODAY }),
    filtered('voided', 'Voided', { status: VOIDED }),
    filtered('late', 'Late uploads', { late: 'all' }),
  ],
  master: [filtered('pending', 'Pending invitations', { status: 'Pending Activation' }), inactive],
  branch: branchViews,
  'branch/master': branchViews,
  'branch/adhoc': branchViews,
  pos: [inactive],
  device: [filtered('waiting', 'With vouchers waiting', { state: 'waiting' })],
  loss: [filtered('to-review', 'To review', { state: 'to review' })],
  resources: [],
  activity: [
    filtered('today', 'Today', { from: TODAY, to: TODAY }),
    filtered('voided', 'Voided redemptions', { action: 'redemption.voided' }),
  ],
}

/** Views that everybody has of a list, where they fit it. A day is the one on which they are opened. */
export const builtInViews = (list: ViewList): readonly BuiltInView[] => FITTING[list].map((make) => make(list))
