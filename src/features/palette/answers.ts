import * as v from 'valibot'
import { requestReport } from '../../blocks/downloads/requestReport.ts'
import { saveFromServer } from '../../blocks/downloads/saveFile.ts'
import { stateOfView, type ViewList } from '../../blocks/views/builtInViews.ts'
import type { Feature } from '../../contract/accounts/permissions.ts'
import { ReportRequest } from '../../contract/reports/report.ts'
import { ON_HOLD, VOIDED } from '../../contract/tables/lists.ts'
import { vouchers } from '../../contract/vouchers.ts'
import { lastDayOfMonth } from '../../domain/months.ts'
import { REPORT_NAMES, reportPeriod } from '../../domain/reports.ts'
import { formatDayRange } from '../../domain/singaporeTime.ts'
import { LATEST_REDEMPTIONS, tableDefaults, type TableState } from '../../domain/tableState.ts'
import { toTableQuery, type ViewState } from '../../domain/viewState.ts'
import { ICONS } from '../../ui/icons.tsx'
import type { Item } from './paletteItems.ts'
import type { Question, Subject } from './question.ts'

interface Rows {
  list: ViewList & ('voucher' | 'device' | 'loss' | 'activity')
  title: string
  filter: Record<string, string>
  /** The filters for the first and the last day. Rows without a day are answered for all days. */
  days?: readonly [string, string]
}

/** The list, and the filters, in which a question finds its rows. */
const ROWS: Record<Subject, Rows> = {
  redeemed: {
    list: 'voucher',
    title: 'Redeemed vouchers',
    filter: { status: 'Used' },
    days: ['used_from', 'used_to'],
  },
  voided: {
    list: 'voucher',
    title: 'Voided vouchers',
    filter: { status: VOIDED },
    days: ['voided_from', 'voided_to'],
  },
  expired: { list: 'voucher', title: 'Expired vouchers on hold', filter: { status: 'Expired' } },
  'on hold': { list: 'voucher', title: 'Vouchers on hold', filter: { status: ON_HOLD } },
  late: { list: 'voucher', title: 'Late uploads', filter: { late: 'all' }, days: ['used_from', 'used_to'] },
  waiting: { list: 'device', title: 'Tills with vouchers waiting', filter: { state: 'waiting' } },
  lost: { list: 'loss', title: 'Losses', filter: {}, days: ['from', 'to'] },
  activity: { list: 'activity', title: 'Activity', filter: {}, days: ['from', 'to'] },
}

const PLACES: Record<Rows['list'], { to: string; feature: Feature; detail: string; icon: Item['icon'] }> = {
  voucher: { to: '/vouchers', feature: 'vouchers', detail: 'Vouchers', icon: ICONS.ticket },
  device: { to: '/devices', feature: 'pos', detail: 'Tills', icon: ICONS.tablet },
  loss: { to: '/reports/losses', feature: 'reports', detail: 'Losses', icon: ICONS.alert },
  activity: { to: '/activity', feature: 'activity', detail: 'Activity', icon: ICONS.clock },
}

/** Where the answer to a question is: the filtered list, and the file of the same rows. */
export interface Answer {
  id: string
  title: string
  branch: string | undefined
  list: Rows['list']
  feature: Feature
  state: ViewState
  report: ReportRequest | undefined
}

/** The largest page: the amounts of all its rows are added up here, those of more rows by the preview of a report. */
const PAGE_ROWS = 100
const NEWEST_FIRST = { sort: LATEST_REDEMPTIONS.sort }

/** Returns the answer to a question. `ownBranch` is the branch of a branch's login. */
export function answerTo(question: Question, ownBranch: string | null): Answer {
  const { list, title, filter, days } = ROWS[question.subject]
  const { period, branch } = question
  const shownPeriod = days && period
  const narrowed = {
    ...filter,
    ...(shownPeriod ? { [days[0]]: period.from, [days[1]]: period.to } : {}),
    ...(branch ? { branch: branch.guid } : {}),
  }
  const called = [title, shownPeriod && formatDayRange(period.from, period.to), branch?.name].filter(Boolean).join(', ')
  return {
    id: `answer/${called}/${branch?.guid}`,
    title: called,
    branch: branch?.name,
    list,
    feature: PLACES[list].feature,
    state: { ...tableDefaults(list), ...(list === 'voucher' ? NEWEST_FIRST : {}), size: PAGE_ROWS, filter: narrowed },
    report: question.subject === 'redeemed' ? reportFor(question, ownBranch) : undefined,
  }
}

/** Returns the report of exactly this period: the one that was asked for, or the first that can have it. */
function reportFor({ period, branch, report, format = 'xlsx' }: Question, ownBranch: string | null) {
  if (!period) return undefined
  const { from, to } = period
  const choices = { branch_guid: branch?.guid ?? ownBranch, format }
  const isWholeMonths = from.endsWith('-01') && to === lastDayOfMonth(to.slice(0, 7))
  const requests = [
    ...(from === to ? [{ report: 'daily', params: { day: from, ...choices } }] : []),
    ...(isWholeMonths
      ? [{ report: 'monthly', params: { from_month: from.slice(0, 7), to_month: to.slice(0, 7), ...choices } }]
      : []),
  ]
  const transaction = { report: 'transaction', params: { from, to, ...choices } }
  const wanted = [...requests.filter((one) => one.report === report), transaction, ...requests]
  return wanted.flatMap((one) => (v.is(ReportRequest, one) ? [v.parse(ReportRequest, one)] : []))[0]
}

export const voucherQuery = ({ state }: Answer) => toTableQuery({ ...state, page: 1 } as TableState<'voucher'>)

/** Returns the address of the list, in the router's form; `voucher` opens one of its rows. */
export const placeOf = ({ list, state }: Answer, voucher?: string) => ({
  to: PLACES[list].to,
  search: { ...stateOfView(list, state), ...(voucher === undefined ? {} : { voucher }) },
})

export const listItem = (answer: Answer): Item => {
  const { detail, icon } = PLACES[answer.list]
  return { id: answer.id, label: answer.title, detail, icon, go: placeOf(answer) }
}

interface FileMakers {
  owner: string
  offline: boolean
  openDownloads: () => void
}

/** Returns the item that downloads the rows: as a report, which waits for the connection, or as the export of the list. */
export function fileItem(answer: Answer, { owner, offline, openDownloads }: FileMakers): Item | undefined {
  const { id, title, branch, list, report } = answer
  const item = { id: `${id}/file`, icon: ICONS.download }
  if (report) {
    const names = [REPORT_NAMES[report.report], reportPeriod(report), branch]
    const label = `Download ${names.filter(Boolean).join(', ')}`
    const detail = `${report.params.format.toUpperCase()}${offline ? ', once online' : ''}`
    return { ...item, label, detail, go: () => void requestReport(owner, report, openDownloads) }
  }
  if (list !== 'voucher') return undefined
  return {
    ...item,
    label: `Download ${title[0]!.toLowerCase()}${title.slice(1)}`,
    detail: 'CSV',
    needs: offline ? 'Needs a connection' : undefined,
    go: () => void saveFromServer(vouchers.export, { body: voucherQuery(answer) }, 'The list was not exported.'),
  }
}
