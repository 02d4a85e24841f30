import { useUser } from '../../blocks/accounts/useUser.ts'
import { DaysFilter, ListFilters } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import { ACTIVITY_KINDS } from '../../contract/activity/activityActions.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { subjectNoun, type ActivityColumn, type ActivityFilter, type ActivityTableState } from './activityList.tsx'

interface Props {
  state: ActivityTableState
  onState: ChangeTableState<ActivityColumn, ActivityFilter>
  /** Those on the page: their people can be chosen. */
  rows: readonly ActivityRow[]
}

const ALL = { value: '', label: 'All' }
const KINDS = [ALL, ...ACTIVITY_KINDS.map((kind) => ({ value: kind, label: kind }))]

export function ActivityFilters({ state, onState, rows }: Props) {
  const people = usePeople(rows, state.filter.actor)
  const filter = (name: ActivityFilter) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })
  return (
    <ListFilters state={state} onState={onState} views="activity">
      <ListSearch label="Person or record" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      <SelectField className="min-w-36" label="Kind" options={KINDS} {...filter('kind')} />
      <SelectField className="min-w-44" label="Person" options={[ALL, ...people]} {...filter('actor')} />
      {state.filter.subject && (
        <SelectField
          className="min-w-44"
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
