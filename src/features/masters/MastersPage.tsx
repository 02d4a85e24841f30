import { useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { isNarrowed, ListFilters, StatusFilter, filterField } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { hasNoRow, ExportButton } from '../../blocks/tables/ListTools.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { LIMITS } from '../../contract/limits.ts'
import { masters } from '../../contract/masters.ts'
import type { TableQuery } from '../../contract/tables/tableQuery.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showLimitDialog, type WayToMasters } from './accountLimit.ts'
import { masterMenu } from './masterActions.ts'
import { MASTER_LIST } from './masterList.tsx'

export function MastersPage({ state, onState }: ListState<'master'>) {
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
  // Then the filled button is in the middle of the list.
  const isEmpty = hasNoRow(read) && !isNarrowed(state)
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
        actions={<CreateMasterButton {...{ open, wayToMasters }} variant={isEmpty ? 'plain' : 'primary'} />}
      />
      <ListFilters
        list={MASTER_LIST}
        {...{ state, onState }}
        tools={<ExportButton endpoint={MASTER_LIST.exportAs} query={read.query} nothing={hasNoRow(read)} />}
      >
        <ListSearch label="Name or email" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
        <StatusFilter
          statuses={['Active', 'Pending Activation', 'Inactive']}
          {...filterField({ state, onState })('status')}
        />
      </ListFilters>
      <RecordTable
        list={MASTER_LIST}
        {...{ state, onState, read }}
        empty={NO_MASTER}
        noMatch={{ title: 'No master matches' }}
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

/** Says how much of the limit is used before it is reached (rule 7.1). */
function openMastersNote(open: number | undefined): string {
  const used = open === undefined ? '' : ` ${open} of ${LIMITS.openMasters} are Active or Pending Activation.`
  return `Accounts that manage some of your branches.${used}`
}

interface CreateMasterButtonProps {
  open: number | undefined
  wayToMasters: WayToMasters
  variant: 'plain' | 'primary'
}

/** At the limit it opens the dialog about it, not a form that could not be sent. */
function CreateMasterButton({ open, wayToMasters, variant }: CreateMasterButtonProps) {
  const offline = useOffline()
  const isFull = open !== undefined && open >= LIMITS.openMasters
  if (isFull && !offline) {
    return (
      <Button icon={ICONS.plus} variant="primary" onClick={() => void showLimitDialog(wayToMasters)}>
        Create master
      </Button>
    )
  }
  return <CreateMasterLink variant={variant} />
}

const CreateMasterLink = ({ variant }: { variant: 'plain' | 'primary' }) => (
  <OnlineLink to="/masters/$type" params={{ type: 'create' }} icon={ICONS.plus} variant={variant}>
    Create master
  </OnlineLink>
)

const NO_MASTER = (
  <EmptyState
    icon={ICONS.masters}
    title="No master yet"
    text="A master logs in on its own and manages the branches you assign to it."
    actions={<CreateMasterLink variant="primary" />}
  />
)

const OPEN_MASTERS_QUERY: TableQuery<'master'> = {
  start: 0,
  limit: 1,
  search_str: '',
  order_by: [],
  other_params: [
    { key: 'status', value: 'Active' },
    { key: 'status', value: 'Pending Activation' },
  ],
}

/** How many masters count towards the limit (rule 7.1); undefined until known. `recount` after an action. */
function useOpenMasters(): { open: number | undefined; recount: () => void } {
  const { guid } = useUser()
  const { data, retry } = useCachedRead(guid, 'master.open', masters.datatable.answer, (signal) =>
    call(masters.datatable, { body: OPEN_MASTERS_QUERY, signal }),
  )
  return { open: data?.total, recount: retry }
}
