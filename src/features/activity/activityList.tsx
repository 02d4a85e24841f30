import { useUser } from '../../blocks/accounts/useUser.ts'
import { BranchFilter } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, ListFilters, type OwnFiltersProps, filterField } from '../../blocks/tables/ListFilters.tsx'
import type { RecordList } from '../../blocks/tables/RecordList.ts'
import { activity, type ActivityRow } from '../../contract/activity/activity.ts'
import { ACTIVITY_KINDS } from '../../contract/tables/lists.ts'
import {
  ACTIVITY_BY_KIND,
  actionName,
  activitySentence,
  subjectNoun,
  type ActivityAction,
} from '../../domain/activityLabels.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'

/** Returns the name of the device. An action of the provider has no device, so its `via` is returned. */
export const deviceText = ({ device, via }: ActivityRow): string =>
  device ?? (via === 'portal' ? 'Unknown device' : via)

export const branchText = ({ branch_guid, branch_name }: ActivityRow): string =>
  branch_name ?? (branch_guid === null ? '–' : 'A deleted branch')

/** In a folded row the branch has no column of its own. */
const TimeAndBranch = ({ row }: { row: ActivityRow }) => (
  <>
    <span className="whitespace-nowrap">{formatInstant(new Date(row.at))}</span>
    {row.branch_guid !== null && <span className="hidden phone:inline" translate="no">{` · ${branchText(row)}`}</span>}
  </>
)

export const activityList = (onOpen: (row: ActivityRow) => void): RecordList<ActivityRow, 'activity'> => ({
  name: 'activity',
  caption: 'Activity',
  table: activity.datatable,
  exportAs: activity.export,
  columns: [
    {
      key: 'act',
      title: 'Action',
      fold: 't1',
      cell: (row) => (
        // A button that looks like a link: it opens a dialog over the table.
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
    {
      key: 'actor',
      title: 'Person',
      exact: true,
      fold: 't2',
      cell: ({ actor }) => (
        <span className="block max-w-[14rem] truncate phone:max-w-none" title={actor}>
          {actor}
        </span>
      ),
    },
    { key: 'branch', title: 'Branch', exact: true, cell: branchText },
    { key: 'device', title: 'Device', hideBelow: 900, cell: deviceText },
    {
      key: 'at',
      title: 'Time',
      sort: 'at',
      nowrap: true,
      fold: 't3',
      cell: (row) => <TimeAndBranch row={row} />,
    },
  ],
  rowKey: ({ guid }) => guid,
  rowName: (row) => `${activitySentence(row)}, ${formatInstant(new Date(row.at))}`,
})

interface ActivityFiltersProps extends OwnFiltersProps<'activity'> {
  /** The rows on the page. The filter offers the people in them. */
  rows: readonly ActivityRow[]
}

const ALL = { value: '', label: 'All' }

/** The options of one field that sets two filters: an action, or a kind of action. */
const ACTIONS = [
  ALL,
  ...ACTIVITY_KINDS.map((kind) => ({
    group: kind,
    options: [
      { value: kind, label: `${kind}: all` },
      ...(Object.keys(ACTIVITY_BY_KIND[kind]) as ActivityAction[]).map((action) => ({
        value: action,
        label: actionName(action),
      })),
    ],
  })),
]

const isKind = (value: string) => ACTIVITY_KINDS.some((kind) => kind === value)

export function ActivityFilters({ rows, ...props }: ActivityFiltersProps) {
  const { state, onState } = props
  const people = usePeople(rows, state.filter.actor)
  const chooseAction = (value: string) => {
    const chosen = isKind(value) ? { kind: value, action: '' } : { kind: '', action: value }
    onState({ filter: { ...state.filter, ...chosen }, page: 1 })
  }
  const filter = filterField(props)
  return (
    <ListFilters search="Person, action or record" {...props}>
      <SelectField
        label="Action"
        options={ACTIONS}
        value={state.filter.action || state.filter.kind || ''}
        onChange={chooseAction}
      />
      <BranchFilter {...filter('branch')} />
      <SelectField label="Person" options={[ALL, ...people]} {...filter('actor')} />
      {state.filter.subject && (
        <SelectField
          label="About"
          options={[ALL, { value: state.filter.subject, label: subjectName(rows, state.filter.subject) }]}
          {...filter('subject')}
        />
      )}
      <DaysFilter
        label="Days"
        from={['from', 'From']}
        to={['to', 'To']}
        filter={state.filter}
        onFilter={(filter) => onState({ filter, page: 1 })}
      />
    </ListFilters>
  )
}

/** Returns this user, the people on the page, and the chosen person. A list of all people would be too long. */
function usePeople(rows: readonly ActivityRow[], chosen: string | undefined) {
  const { guid, login_name } = useUser()
  const names = new Map([[guid, login_name]])
  for (const { actor_guid, actor } of rows) if (actor_guid && !names.has(actor_guid)) names.set(actor_guid, actor)
  if (chosen && !names.has(chosen)) names.set(chosen, 'One person')
  return [...names].map(([value, label]) => ({ value, label }))
}

/** Returns the name of the record in its newest entry on the page. */
function subjectName(rows: readonly ActivityRow[], typeAndId: string): string {
  const [type = ''] = typeAndId.split(':')
  const found = rows.find(({ subject }) => `${subject.type}:${subject.id}` === typeAndId)
  const noun = subjectNoun(type)
  return found?.subject.name || `One ${noun}`
}
