import { useMemo, useState } from 'react'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/tables/ListTools.tsx'
import { UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import type { ActivityRow } from '../../contract/activity/activity.ts'
import type { UserType } from '../../contract/accounts/permissions.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ActivityDialog } from './ActivityDialog.tsx'
import { ActivityFilters } from './ActivityFilters.tsx'
import { activityList, type ActivityColumn, type ActivityFilter, type ActivityTableState } from './activityList.tsx'
import { activityMenu } from './activityMenu.ts'
import { NoActivity } from './NoActivity.tsx'

interface Props {
  state: ActivityTableState
  onState: ChangeTableState<ActivityColumn, ActivityFilter>
}

/** Who did what, when, to what, from which device. */
export function ActivityPage({ state, onState }: Props) {
  usePageTitle('Activity')
  const [opened, setOpened] = useState<ActivityRow>()
  const list = useMemo(() => activityList(setOpened), [])
  const read = useRecordList(list, state)
  const only = (filter: ActivityFilter, value: string) => onState({ q: '', filter: { [filter]: value }, page: 1 })
  return (
    <>
      <PageHeader
        title="Activity"
        note={NOTES[useUser().type]}
        actions={
          <>
            <ColumnMenu list={list} view={state.view} />
            <ExportButton endpoint={list.exportAs} query={read.query} />
          </>
        }
      />
      <ActivityFilters {...{ state, onState }} rows={read.data?.rows ?? []} />
      <RecordTable
        list={list}
        {...{ state, onState, read }}
        blank={<NoActivity state={state} onClear={() => onState(UNFILTERED)} />}
        rowMenu={(row) => activityMenu(row, { onOpen: () => setOpened(row), onOnly: only })}
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
