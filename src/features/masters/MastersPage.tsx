import { Link, useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { LAST_LOGIN, STATUS } from '../../blocks/accounts/accountColumns.tsx'
import { mailResetLink, resendInvitationItem } from '../../blocks/accounts/accountEmails.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useActivityMenuItem } from '../../blocks/activity/ActivityLink.tsx'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { deleteItem, statusItem } from '../../blocks/record/recordActions.ts'
import { filterField, isEmptyList, ListFilters, StatusFilter } from '../../blocks/tables/ListFilters.tsx'
import type { ListState, RecordList } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { LIMITS } from '../../contract/limits.ts'
import {
  deactivateMaster,
  type MasterRow,
  masters,
  reactivateMaster,
  resetMerchantPassword,
} from '../../contract/masters.ts'
import type { ColumnOf } from '../../contract/tables/lists.ts'
import type { TableQuery } from '../../contract/tables/tableQuery.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { Button } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import type { Column } from '../../ui/table/tableColumn.ts'
import { showLimitDialog, showLimitRefusal, type WayToMasters } from './accountLimit.ts'

export function MastersPage({ state, onState }: ListState<'master'>) {
  usePageTitle('Masters')
  const navigate = useNavigate()
  const offline = useOffline()
  const read = useRecordList(MASTER_LIST, state)
  const activity = useActivityMenuItem('master')
  const { open, recount } = useOpenMasters()
  const reload = () => {
    read.retry()
    recount()
  }
  // An empty list says what to do in its middle.
  const isEmpty = isEmptyList(read, state)
  const wayToMasters = {
    act: 'Show Active masters',
    go: () => onState({ q: '', filter: { status: 'Active' }, page: 1 }),
  }
  const edit = (id: string) => void navigate({ to: '/masters/$type/$id', params: { type: id, id: 'edit' } })
  return (
    <>
      <PageHeader
        title="Masters"
        note={!isEmpty && openMastersNote(open)}
        actions={!isEmpty && <CreateMasterButton open={open} wayToMasters={wayToMasters} />}
      />
      <ListFilters search="Name or email" list={MASTER_LIST} state={state} onState={onState} read={read}>
        <StatusFilter
          statuses={['Active', 'Pending Activation', 'Inactive']}
          {...filterField({ state, onState })('status')}
        />
      </ListFilters>
      <RecordTable
        list={MASTER_LIST}
        state={state}
        onState={onState}
        read={read}
        empty={NO_MASTER}
        noMatch={{ title: 'No master matches' }}
        rowMenu={(row) => [
          ...needsConnection(
            offline,
            masterMenu(row, { onEdit: () => edit(row.guid), onChanged: reload, wayToMasters }),
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
}

/** Opens the form. At the limit, it opens the dialog about the limit instead, because the form would be refused. */
function CreateMasterButton({ open, wayToMasters }: CreateMasterButtonProps) {
  const offline = useOffline()
  const isFull = open !== undefined && open >= LIMITS.openMasters
  if (isFull && !offline) {
    return (
      <Button icon={ICONS.plus} variant="primary" onClick={() => void showLimitDialog(wayToMasters)}>
        Create master
      </Button>
    )
  }
  return <CreateMasterLink />
}

const CreateMasterLink = () => (
  <OnlineLink to="/masters/$type" params={{ type: 'create' }} icon={ICONS.plus} variant="primary">
    Create master
  </OnlineLink>
)

const NO_MASTER = (
  <EmptyState
    drawing={DRAWINGS.empty}
    title="No master yet"
    text="A master logs in on its own and manages the branches you assign to it."
    actions={<CreateMasterLink />}
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

/** Counts the masters that the limit includes (rule 7.1). `open` is undefined until known. Call `recount` after an action. */
function useOpenMasters(): { open: number | undefined; recount: () => void } {
  const { guid } = useUser()
  const { data, retry } = useCachedRead(guid, 'master.open', masters.datatable.answer, (signal) =>
    call(masters.datatable, { body: OPEN_MASTERS_QUERY, signal }),
  )
  return { open: data?.total, recount: retry }
}

const COLUMNS: readonly Column<MasterRow, ColumnOf<'master'>>[] = [
  {
    key: 'name',
    title: 'Name',
    exact: true,
    sort: 'name',
    fold: 't1',
    cell: ({ guid, name }) => (
      <Link to="/masters/$type/$id" params={{ type: guid, id: 'edit' }} className="font-strong">
        {name}
      </Link>
    ),
  },
  { key: 'email', title: 'Email', exact: true, sort: 'email', fold: 't2', cell: ({ email }) => email },
  STATUS,
  { key: 'branches', title: 'Branches', align: 'right', hideBelow: 900, cell: ({ branches }) => branches },
  LAST_LOGIN,
  {
    key: 'created_at',
    title: 'Created',
    sort: 'created_at',
    nowrap: true,
    hideBelow: 940,
    cell: ({ created_at }) => formatDay(new Date(created_at)),
  },
]

const MASTER_LIST: RecordList<MasterRow, 'master'> = {
  name: 'master',
  caption: 'Masters',
  table: masters.datatable,
  exportAs: masters.export,
  columns: COLUMNS,
  rowKey: ({ guid }) => guid,
  rowName: ({ name }) => name,
}

interface MasterMenuActions {
  onEdit: () => void
  /** Reads the list again, also when an answer was lost. */
  onChanged: () => void
  wayToMasters: WayToMasters
}

/** Returns the actions for a master in its current state. */
function masterMenu(row: MasterRow, { onEdit, onChanged, wayToMasters }: MasterMenuActions): MenuItem[] {
  const { guid, name, branches } = row
  const params = { id: guid }
  const record = {
    noun: 'master',
    name,
    isInactive: row.status === 'Inactive',
    deactivate: () => call(deactivateMaster, { params }),
    reactivate: () => call(reactivateMaster, { params }),
    remove: () => call(masters.remove, { params }),
    consequence: `It is logged out at once and cannot log in until it is re-activated.${fallBackNote(branches)}`,
    // Branches that went back to the main account do not return.
    isUndoable: branches === 0,
    refused: showLimitRefusal(wayToMasters),
    onChanged,
  } as const
  const reset = () => mailResetLink(row, () => call(resetMerchantPassword, { params })).then(onChanged)
  const deletionBlocker =
    branches > 0 ? 'It manages branches' : row.last_login_at ? 'It has logged in before' : undefined
  return [
    { label: 'Edit', onSelect: onEdit },
    ...(row.status === 'Pending Activation' ? [resendInvitationItem({ ...row, account: guid }, onChanged)] : []),
    ...(row.status === 'Active' ? [{ label: 'Reset password', onSelect: () => void reset() }] : []),
    statusItem(record),
    deleteItem(record, deletionBlocker),
  ]
}

const fallBackNote = (branches: number) => {
  if (branches === 0) return ''
  return branches === 1
    ? ' Its branch falls back to the main account.'
    : ` Its ${branches} branches fall back to the main account.`
}
