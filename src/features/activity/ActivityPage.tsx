import { useMemo, useState } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { reversedDays } from '../../blocks/tables/ListFilters.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { UserType } from '../../contract/accounts/permissions.ts'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import type { FilterOf } from '../../contract/tables/lists.ts'
import { subjectNoun } from '../../domain/activityLabels.ts'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ActivityDialog } from './ActivityDialog.tsx'
import { ActivityFilters, activityList } from './activityList.tsx'

/** The activity log: the person, action, time, record and device of each entry. */
export function ActivityPage({ state, onState }: ListState<'activity'>) {
  usePageTitle('Activity')
  const [opened, setOpened] = useState<ActivityRow>()
  const list = useMemo(() => activityList(setOpened), [])
  const read = useRecordList(list, state)
  const showOnly = (filter: FilterOf<'activity'>, value: string) =>
    onState({ q: '', filter: { [filter]: value }, page: 1 })
  return (
    <>
      <PageHeader title="Activity" note={NOTES[useUser().type]} />
      <ActivityFilters list={list} state={state} onState={onState} read={read} rows={read.data?.rows ?? []} />
      <RecordTable
        list={list}
        state={state}
        onState={onState}
        read={read}
        empty={<EmptyState drawing={DRAWINGS.empty} title="No activity yet" text="Actions will appear here." />}
        noMatch={{ title: 'No activity found', ...reversedDays(state.filter.from, state.filter.to) }}
        rowMenu={(row) => activityMenu(row, { onOpen: () => setOpened(row), onOnly: showOnly })}
      />
      {opened && <ActivityDialog row={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

const NOTES: Partial<Record<UserType, string>> = {
  'HRP Merchant': 'What was done in your organisation. Nobody can change or delete it.',
  'ADHOC Merchant': 'What was done in your organisation. Nobody can change or delete it.',
  'Additional Merchant': 'What you did, and what was done at your branches. Nobody can change or delete it.',
  'Branch Merchant': 'What was done at your branch. Nobody can change or delete it.',
}

interface ActivityMenuActions {
  onOpen: () => void
  /** Narrows the log to this filter alone. */
  onOnly: (filter: FilterOf<'activity'>, value: string) => void
}

/** Menu of an entry: its details, all entries of the same person, or all about the same record. */
function activityMenu({ actor_guid, subject }: ActivityRow, { onOpen, onOnly }: ActivityMenuActions): MenuItem[] {
  const about = `${subject.type}:${subject.id}`
  return [
    { label: 'View details', onSelect: onOpen },
    ...(actor_guid ? [{ label: 'All by this person', onSelect: () => onOnly('actor', actor_guid) }] : []),
    { label: `All about this ${subjectNoun(subject.type)}`, onSelect: () => onOnly('subject', about) },
  ]
}
