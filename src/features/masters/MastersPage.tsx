import { useNavigate } from '@tanstack/react-router'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/tables/ListTools.tsx'
import { isNarrowed, ListFilters, UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { needsConnection } from '../../blocks/record/needsLine.ts'
import { StatusFilter } from '../../blocks/list/StatusFilter.tsx'
import { useActivityMenuItem } from '../../blocks/useActivityItem.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { LIMITS } from '../../contract/limits.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { CreateMasterButton } from './CreateMasterButton.tsx'
import { MASTER_BULK_ACTIONS, masterMenu } from './masterActions.ts'
import { MASTER_LIST, type MasterColumn, type MasterFilter, type MasterTableState } from './masterList.tsx'
import { NoMasters } from './NoMasters.tsx'
import { useOpenMasters } from './useOpenMasters.ts'

interface Props {
  state: MasterTableState
  onState: ChangeTableState<MasterColumn, MasterFilter>
}

export function MastersPage({ state, onState }: Props) {
  usePageTitle('Masters')
  const navigate = useNavigate()
  const offline = useOffline()
  const read = useRecordList(MASTER_LIST, state)
  const activity = useActivityMenuItem('master')
  const { open, recount } = useOpenMasters()
  const changed = () => {
    read.retry()
    recount()
  }
  const wayToMasters = {
    act: 'Show Active masters',
    go: () => onState({ q: '', filter: { status: 'Active' }, page: 1 }),
  }
  const edit = (id: string) => void navigate({ to: '/masters/$type/$id', params: { type: id, id: 'edit' } })
  return (
    <>
      <PageHeader
        title="Masters"
        note={openMastersNote(open)}
        actions={<CreateMasterButton {...{ open, wayToMasters }} />}
      />
      <ListFilters
        {...{ state, onState }}
        views="master"
        tools={
          <>
            <ColumnMenu list={MASTER_LIST} view={state.view} />
            <ExportButton endpoint={MASTER_LIST.exportAs} query={read.query} />
          </>
        }
      >
        <ListSearch label="Name or email" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
        <StatusFilter
          value={state.filter.status}
          statuses={['Active', 'Pending Activation', 'Inactive']}
          onChange={(status) => onState({ filter: { ...state.filter, status }, page: 1 })}
        />
      </ListFilters>
      <RecordTable
        list={MASTER_LIST}
        {...{ state, onState, read }}
        bulk={MASTER_BULK_ACTIONS}
        onChanged={changed}
        blank={<NoMasters narrowed={isNarrowed(state)} onClear={() => onState(UNFILTERED)} />}
        rowMenu={(row) => [
          ...needsConnection(
            offline,
            masterMenu(row, { onEdit: () => edit(row.guid), onChanged: changed, wayToMasters }),
          ),
          ...activity(row.guid),
        ]}
      />
    </>
  )
}

/** The limit is told before anybody meets it (spec §9). */
function openMastersNote(open: number | undefined): string {
  const used = open === undefined ? '' : ` ${open} of ${LIMITS.openMasters} are Active or Pending Activation.`
  return `Accounts that manage some of your branches.${used}`
}
