import { useNavigate } from '@tanstack/react-router'
import { ImportLink } from '../../blocks/ImportLink.tsx'
import { ColumnMenu } from '../../blocks/tables/ColumnMenu.tsx'
import { ExportButton } from '../../blocks/tables/ListTools.tsx'
import { UNFILTERED } from '../../blocks/tables/ListFilters.tsx'
import type { ChangeTableState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import { needsConnection } from '../../blocks/record/needsLine.ts'
import { usePermission } from '../../blocks/useMay.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { BranchRow } from '../../contract/branches.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BRANCH_BULK_ACTIONS } from './branchBulk.ts'
import { BranchFilters } from './BranchFilters.tsx'
import {
  BRANCH_LISTS,
  type BranchColumn,
  type BranchFilter,
  type BranchListName,
  type BranchTableState,
} from './branchList.tsx'
import { BranchListLinks } from './BranchListLinks.tsx'
import { deleteItem, loginItems, statusItem } from './branchMenu.ts'
import { CreateBranchLink } from './CreateBranchLink.tsx'
import { NoBranches } from './NoBranches.tsx'

interface Props {
  name: BranchListName
  state: BranchTableState
  onState: ChangeTableState<BranchColumn, BranchFilter>
}

/** One of the three lists of branches; they differ in what they hold. */
export function BranchesPage({ name, state, onState }: Props) {
  usePageTitle('Branches')
  const list = useBranchList(name)
  const read = useRecordList(list, state)
  const mayEdit = usePermission('branches', 'edit')
  const mayCreate = usePermission('branches', 'create')
  const rowMenu = useRowMenu(mayEdit, read.retry)
  return (
    <>
      <PageHeader
        title="Branches"
        note={LIST_NOTES[name]}
        actions={
          <>
            <ColumnMenu list={list} view={state.view} />
            <ExportButton endpoint={list.exportAs} query={read.query} />
            {mayCreate && <ImportLink to="/branches/import" />}
            <CreateBranchLink from={name} />
          </>
        }
      />
      <BranchListLinks />
      <BranchFilters {...{ name, state, onState }} />
      <RecordTable
        {...{ list, state, onState, read, rowMenu }}
        bulk={mayEdit ? BRANCH_BULK_ACTIONS : []}
        blank={<NoBranches {...{ name, state }} onClear={() => onState(UNFILTERED)} />}
      />
    </>
  )
}

const LIST_NOTES: Record<BranchListName, string> = {
  all: 'Where vouchers are redeemed. Each has its own login and its POS users.',
  master: 'Branches that a master manages.',
  adhoc: 'Branches for some days, from the first to the last, both included.',
}

/** Who sees no masters sees no column of them. */
function useBranchList(name: BranchListName) {
  const list = BRANCH_LISTS[name]
  const seesMasters = usePermission('masters', 'view')
  return seesMasters ? list : { ...list, columns: list.columns.filter(({ key }) => key !== 'master') }
}

function useRowMenu(mayEdit: boolean, onChanged: () => void) {
  const offline = useOffline()
  const navigate = useNavigate()
  const open = (guid: string, id: 'view' | 'edit') =>
    void navigate({ to: '/branches/$type/$id', params: { type: guid, id } })
  return (row: BranchRow) => {
    const view = { label: 'View', onSelect: () => open(row.guid, 'view') }
    if (!mayEdit) return [view]
    const acts = [
      { label: 'Edit', onSelect: () => open(row.guid, 'edit') },
      ...loginItems(row, onChanged),
      statusItem(row, onChanged),
      deleteItem(row, onChanged),
    ]
    return [view, ...needsConnection(offline, acts)]
  }
}
