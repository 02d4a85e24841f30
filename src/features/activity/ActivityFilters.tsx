import { useUser } from '../../blocks/accounts/useUser.ts'
import { BranchField } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { DaysFilter, ListFilters, type ListFiltersProps } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import { ACTIVITY_ACTIONS, ACTIVITY_KINDS, type ActivityAction } from '../../contract/activity/activityActions.ts'
import { actionName } from '../../domain/activityLabels.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { subjectNoun, type ActivityColumn, type ActivityFilter } from './activityList.tsx'

interface Props extends Pick<ListFiltersProps<ActivityColumn, ActivityFilter>, 'list' | 'state' | 'onState' | 'tools'> {
  /** Those on the page: their people can be chosen. */
  rows: readonly ActivityRow[]
}

const ALL = { value: '', label: 'All' }

/** A whole kind, or one action of it: each is a filter of its own, and one field chooses either. */
const ACTIONS = [
  ALL,
  ...ACTIVITY_KINDS.map((kind) => ({
    group: kind,
    options: [
      { value: kind, label: `${kind}: all` },
      ...(Object.keys(ACTIVITY_ACTIONS) as ActivityAction[])
        .filter((action) => ACTIVITY_ACTIONS[action] === kind)
        .map((action) => ({ value: action, label: actionName(action) })),
    ],
  })),
]

const isKind = (value: string) => ACTIVITY_KINDS.some((kind) => kind === value)

export function ActivityFilters({ rows, ...props }: Props) {
  const { state, onState } = props
  const people = usePeople(rows, state.filter.actor)
  const { type } = useUser()
  const chooseAction = (value: string) => {
    const chosen = isKind(value) ? { kind: value, action: '' } : { kind: '', action: value }
    onState({ filter: { ...state.filter, ...chosen }, page: 1 })
  }
  const filter = (name: ActivityFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <ListFilters {...props} views="activity">
      <ListSearch label="Person, action or record" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      <SelectField
        label="Action"
        options={ACTIONS}
        value={state.filter.action || state.filter.kind || ''}
        onChange={chooseAction}
      />
      {/* All that a branch sees is its own. */}
      {type !== 'Branch Merchant' && <BranchField {...filter('branch')} />}
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

/** The reader, the people on the page, and whoever is chosen. All people would be too many for a list. */
function usePeople(rows: readonly ActivityRow[], chosen: string | undefined) {
  const { guid, login_name } = useUser()
  const names = new Map([[guid, login_name]])
  for (const { actor_guid, actor } of rows) if (actor_guid && !names.has(actor_guid)) names.set(actor_guid, actor)
  if (chosen && !names.has(chosen)) names.set(chosen, 'One person')
  return [...names].map(([value, label]) => ({ value, label }))
}

/** By the name that the newest entry about it gives. */
function subjectName(rows: readonly ActivityRow[], asked: string): string {
  const [type = ''] = asked.split(':')
  const found = rows.find(({ subject }) => `${subject.type}:${subject.id}` === asked)
  const noun = subjectNoun(type)
  return found?.subject.name || `One ${noun}`
}
