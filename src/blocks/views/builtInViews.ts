import { VOIDED, type ListName } from '../../contract/tables/lists.ts'
import { LATEST_REDEMPTIONS, tableDefaults, type TableState } from '../../domain/tableState.ts'
import { openedState, TODAY, type ViewState } from '../../domain/viewState.ts'
import { serverNow } from '../../state/auth.ts'

export interface BuiltInView {
  name: string
  state: ViewState
}

type Filter = Record<string, string>
type Given = Record<string, Filter>

function of(list: ListName, views: Given): ListViewsOf {
  const whole = tableDefaults(list)
  return { whole, builtIn: Object.entries(views).map(([name, filter]) => ({ name, state: { ...whole, filter } })) }
}

interface ListViewsOf {
  /** The whole list, as it opens. */
  whole: ViewState
  builtIn: readonly BuiltInView[]
}

const inactive: Given = { Inactive: { status: 'Inactive' } }
const branches = of('branch', { 'Pending invitations': { account_status: 'Pending Activation' }, ...inactive })

const vouchers = of('voucher', {
  Today: { used_from: TODAY, used_to: TODAY },
  Voided: { status: VOIDED },
  'Late uploads': { late: 'all' },
})

/** The view that the voucher list opens with. */
export const LATEST: BuiltInView = {
  name: 'Latest redemptions',
  state: { ...tableDefaults('voucher'), sort: LATEST_REDEMPTIONS.sort },
}

/** The views that everybody has of a list. Each day in them is the day on which the view is opened. */
export const LIST_VIEWS = {
  voucher: { ...vouchers, builtIn: [LATEST, ...vouchers.builtIn] },
  master: of('master', { 'Pending invitations': { status: 'Pending Activation' }, ...inactive }),
  branch: branches,
  'branch/master': branches,
  'branch/adhoc': branches,
  pos: of('pos', inactive),
  device: of('device', { 'With vouchers waiting': { state: 'waiting' } }),
  loss: of('loss', {}),
  resources: of('resources', {}),
  activity: of('activity', {
    Today: { from: TODAY, to: TODAY },
    'Voided redemptions': { action: 'redemption.voided' },
  }),
} as const satisfies Record<string, ListViewsOf>

export type ViewList = keyof typeof LIST_VIEWS

/** Server time: a device with a wrong clock has the same today. */
export const serverDate = (): Date => new Date(serverNow())

/**
 * Returns the address of a list that shows this view. An address of the vouchers without parameters means the latest redemptions, so any other view
 * must be in the address.
 */
export const openView = (list: ViewList, view: ViewState): Partial<TableState> => ({
  ...openedState(view, serverDate()),
  page: 1,
  view: list === 'voucher' && view !== LATEST.state ? 'all' : undefined,
})
