import { VOIDED } from '../../contract/tables/tableColumns.ts'
import { LATEST_REDEMPTIONS, TABLE_DEFAULTS, type TableState } from '../../domain/tableState.ts'
import { openedState, TODAY, type ViewState } from '../../domain/viewState.ts'
import { serverNow } from '../../state/auth.ts'

export interface BuiltInView {
  name: string
  state: ViewState
}

type Filter = Record<string, string>
type Given = Record<string, Filter>

const of = (sort: string, views: Given): ListViewsOf => ({
  whole: { ...TABLE_DEFAULTS, sort },
  builtIn: Object.entries(views).map(([name, filter]) => ({ name, state: { ...TABLE_DEFAULTS, sort, filter } })),
})

interface ListViewsOf {
  /** All of the list, as it opens. */
  whole: ViewState
  builtIn: readonly BuiltInView[]
}

const inactive: Given = { Inactive: { status: 'Inactive' } }
const branches = of('guid', { 'Pending invitations': { account_status: 'Pending Activation' }, ...inactive })

const vouchers = of('guid', {
  Today: { used_from: TODAY, used_to: TODAY },
  Voided: { status: VOIDED },
  'Late uploads': { late: 'all' },
})

/** What vouchers open with. */
export const LATEST: BuiltInView = {
  name: 'Latest redemptions',
  state: { ...TABLE_DEFAULTS, sort: LATEST_REDEMPTIONS.sort },
}

/** Views that everybody has of a list, where they fit it. A day is the one on which they are opened. */
export const LIST_VIEWS = {
  voucher: { ...vouchers, builtIn: [LATEST, ...vouchers.builtIn] },
  master: of('guid', { 'Pending invitations': { status: 'Pending Activation' }, ...inactive }),
  branch: branches,
  'branch/master': branches,
  'branch/adhoc': branches,
  pos: of('guid', inactive),
  device: of('attention', { 'With vouchers waiting': { state: 'waiting' } }),
  loss: of('accepted_at', { 'To review': { state: 'to review' } }),
  resources: of('guid', {}),
  activity: of('at', {
    Today: { from: TODAY, to: TODAY },
    'Voided redemptions': { action: 'redemption.voided' },
  }),
} as const satisfies Record<string, ListViewsOf>

export type ViewList = keyof typeof LIST_VIEWS

/** Server time: a device with a wrong clock has the same today. */
export const serverDate = (): Date => new Date(serverNow())

/**
 * What the address of a list says while it shows this. An address of the vouchers that says nothing means the latest redemptions: what
 * is not them has to say so.
 */
export const openView = (list: ViewList, view: ViewState): Partial<TableState> => ({
  ...openedState(view, serverDate()),
  page: 1,
  view: list === 'voucher' && view !== LATEST.state ? 'all' : undefined,
})
