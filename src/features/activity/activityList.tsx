import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { activityTable, exportActivity, type ActivityRow } from '../../contract/activity/activity.ts'
import {
  ACTIVITY_ACTIONS,
  ACTIVITY_KINDS,
  ACTIVITY_SUBJECTS,
  SUBJECT_FILTER,
  type ActivitySubject,
} from '../../contract/activity/activityActions.ts'
import type { ACTIVITY_COLUMNS, ACTIVITY_FILTERS } from '../../contract/tables/tableColumns.ts'
import { activitySentence } from '../../domain/activityLabels.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import type { TableState } from '../../domain/tableState.ts'
import { Words } from '../../ui/Panel.tsx'

export type ActivityColumn = (typeof ACTIVITY_COLUMNS)[number]

export type ActivityFilter = (typeof ACTIVITY_FILTERS)[number]

export type ActivityTableState = TableState<ActivityColumn, ActivityFilter>

/** The state without filters for what this release does not know. The address was read before this was loaded. */
export function withKnownActs(state: ActivityTableState): ActivityTableState {
  const { kind = '', action = '', subject = '', ...rest } = state.filter
  return {
    ...state,
    filter: {
      ...rest,
      ...(ACTIVITY_KINDS.some((known) => known === kind) && { kind }),
      ...(Object.hasOwn(ACTIVITY_ACTIONS, action) && { action }),
      ...(SUBJECT_FILTER.test(subject) && { subject }),
    },
  }
}

/** What the provider does has no device. */
export const deviceText = ({ device, via }: ActivityRow): string =>
  device ?? (via === 'portal' ? 'Unknown device' : via)

export const branchText = ({ branch_guid, branch_name }: ActivityRow): string =>
  branch_name ?? (branch_guid === null ? '–' : 'A deleted branch')

export const activityList = (
  onOpen: (row: ActivityRow) => void,
): RecordList<ActivityRow, ActivityColumn, ActivityFilter> => ({
  name: 'activity',
  caption: 'Activity',
  table: activityTable,
  exportAs: exportActivity,
  columns: [
    {
      key: 'act',
      title: 'Action',
      fold: 't1',
      cell: (row) => (
        // Opens what the row is about over the table: an act, but read like a link.
        <button
          type="button"
          className="text-left text-link underline decoration-1 underline-offset-[0.2em] hover:decoration-2"
          onClick={() => onOpen(row)}
          data-opens
        >
          {activitySentence(row)}
        </button>
      ),
    },
    { key: 'actor', title: 'Person', fold: 't2', cell: ({ actor }) => <Words>{actor}</Words> },
    {
      key: 'branch',
      title: 'Branch',
      fold: 't3',
      cell: (row) => (row.branch_guid === null ? <span className="phone:hidden">–</span> : branchText(row)),
    },
    { key: 'device', title: 'Device', hideBelow: 900, cell: deviceText },
    {
      key: 'at',
      title: 'Time',
      sort: 'at',
      nowrap: true,
      fold: 'v2',
      cell: ({ at }) => formatInstant(new Date(at)),
    },
  ],
  rowKey: ({ guid }) => guid,
  rowName: (row) => `${activitySentence(row)}, ${formatInstant(new Date(row.at))}`,
})

/** The noun for a subject, before its name or instead of it. */
const NOUNS: Record<ActivitySubject, string> = {
  account: 'account',
  organisation: 'profile',
  master: 'master',
  branch: 'branch',
  pos_user: 'POS user',
  voucher: 'voucher',
  vouchers: 'vouchers',
  voucher_key: 'key',
  till: 'device',
  report: 'report',
  list: 'list',
  resource: 'file',
  import: 'import',
}

/** `branch`. A type that this build does not know yet is a `record`. */
export const subjectNoun = (type: string): string =>
  ACTIVITY_SUBJECTS.find((known) => known === type) ? NOUNS[type as ActivitySubject] : 'record'
