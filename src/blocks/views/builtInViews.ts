import { VOIDED, type ListName } from '../../contract/tables/lists.ts'
import { LATEST_REDEMPTIONS, tableDefaults, type TableState } from '../../domain/tableState.ts'
import { openedState, TODAY, type ViewState } from '../../domain/viewState.ts'
import { serverNow } from '../../state/auth.ts'

export interface BuiltInView {
  name: string
  state: ViewState
}

type Filter = Record<string, string>
/** The filter of each view, by the view's name. */
type FilterByName = Record<string, Filter>

function viewsOf(list: ListName, views: FilterByName): ListViewsOf {
  const whole = tableDefaults(list)
  return { whole, builtIn: Object.entries(views).map(([name, filter]) => ({ name, state: { ...whole, filter } })) }
}

interface ListViewsOf {
  /** The whole list, as it opens. */
  whole: ViewState
  builtIn: readonly BuiltInView[]
}

const inactive: FilterByName = { Inactive: { status: 'Inactive' } }
const branches = viewsOf('branch', { 'Pending invitations': { account_status: 'Pending Activation' }, ...inactive })

const vouchers = viewsOf('voucher', {
  Today: { used_from: TODAY, used_to: TODAY },
  Voided: { status: VOIDED },
  'Late uploads': { late: 'all' },
})

/** The view that the voucher list opens with. */
export const LATEST: BuiltInView = {
  name: 'Latest redemptions',
  state: { ...tableDefaults('voucher'), sort: LATEST_REDEMPTIONS.sort },
}

/** The built-in views of each list. `TODAY` becomes the day on which the view is opened. */
export const LIST_VIEWS = {
  voucher: { ...vouchers, builtIn: [LATEST, ...vouchers.builtIn] },
  master: viewsOf('master', { 'Pending invitations': { status: 'Pending Activation' }, ...inactive }),
  branch: branches,
  'branch/master': branches,
  'branch/adhoc': branches,
  pos: viewsOf('pos', inactive),
  device: viewsOf('device', { 'With vouchers waiting': { state: 'waiting' } }),
  loss: viewsOf('loss', {}),
  resources: viewsOf('resources', {}),
  activity: viewsOf('activity', {
    Today: { from: TODAY, to: TODAY },
    'Voided redemptions': { action: 'redemption.voided' },
  }),
} as const satisfies Record<string, ListViewsOf>

export type ViewList = keyof typeof LIST_VIEWS

/** Returns the server's time, so that a device with a wrong clock has the right day. */
export const serverDate = (): Date => new Date(serverNow())

/**
 * Returns the table state that shows this view, for the address. An address of the voucher list without parameters means the
 * latest redemptions, so any other view must be in the address.
 */
export const stateOfView = (list: ViewList, view: ViewState): Partial<TableState> => ({
  ...openedState(view, serverDate()),
  page: 1,
  view: list === 'voucher' && view !== LATEST.state ? 'all' : undefined,
})
