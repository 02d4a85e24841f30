import { Link, useNavigate } from '@tanstack/react-router'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { isNarrowed } from '../../blocks/tables/ListFilters.tsx'
import { hasNoRow, ImportLink, ExportButton } from '../../blocks/tables/ListTools.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { BranchRow } from '../../contract/branches.ts'
import { buttonClass, TAB, TabLinks } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { branchDeleteItem, branchStatusItem, loginItems } from './branchActions.ts'
import { BRANCH_LISTS, BranchFilters, type BranchListName } from './branchList.tsx'

interface Props extends ListState<'branch'> {
  name: BranchListName
}

/** One of the three lists of branches. */
export function BranchesPage({ name, state, onState }: Props) {
  usePageTitle('Branches')
  const list = useBranchList(name)
  const read = useRecordList(list, state)
  const mayEdit = usePermission('branches', 'edit')
  const mayCreate = usePermission('branches', 'create')
  const rowMenu = useRowMenu(mayEdit, read.retry)
  // Then the filled button is in the middle of the list.
  const isEmpty = hasNoRow(read) && name !== 'master' && !isNarrowed(state)
  return (
    <>
      <PageHeader
        title="Branches"
        note={LIST_NOTES[name]}
        actions={<CreateBranchLink from={name} variant={isEmpty ? 'plain' : 'primary'} />}
      />
      <BranchListLinks />
      <BranchFilters
        {...{ name, list, state, onState }}
        tools={
          <>
            <ExportButton endpoint={list.exportAs} query={read.query} nothing={hasNoRow(read)} />
            {mayCreate && <ImportLink to="/imports/branches" />}
          </>
        }
      />
      <RecordTable
        {...{ list, state, onState, read, rowMenu }}
        empty={<NoBranches name={name} />}
        noMatch={{ title: 'No branch matches' }}
      />
    </>
  )
}

const LIST_NOTES: Record<BranchListName, string> = {
  all: 'Where vouchers are redeemed. Each has its own login and its POS users.',
  master: 'Branches that a master manages.',
  adhoc: 'Branches for some days, from the first to the last, both included.',
}

/** Without the column of masters for a person who may not see them. */
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
      branchStatusItem(row, onChanged),
      branchDeleteItem(row, onChanged),
    ]
    return [view, ...needsConnection(offline, acts)]
  }
}

const EXACT_PATH = { exact: true, includeSearch: false } as const

function BranchListLinks() {
  const seesMasters = usePermission('masters', 'view')
  return (
    <TabLinks label="Lists of branches">
      <Link className={TAB} to="/branches" activeOptions={EXACT_PATH}>
        All
      </Link>
      {seesMasters && (
        <Link className={TAB} to="/branches/$type" params={{ type: 'master' }} activeOptions={EXACT_PATH}>
          Master
        </Link>
      )}
      <Link className={TAB} to="/branches/$type" params={{ type: 'adhoc' }} activeOptions={EXACT_PATH}>
        Adhoc
      </Link>
    </TabLinks>
  )
}

/** For the button in the page header and the one in an empty list. */
const creation = (from: BranchListName) =>
  ({
    to: '/branches/$type',
    params: { type: 'create' },
    search: { kind: from === 'adhoc' ? 'adhoc' : 'permanent' },
  }) as const

const createLabel = (from: BranchListName) => (from === 'adhoc' ? 'Create adhoc branch' : 'Create branch')

function CreateBranchLink({ from, variant }: { from: BranchListName; variant: 'plain' | 'primary' }) {
  const mayCreate = usePermission('branches', 'create')
  if (!mayCreate) return null
  return (
    <OnlineLink {...creation(from)} icon={ICONS.plus} variant={variant}>
      {createLabel(from)}
    </OnlineLink>
  )
}

const EMPTY_TITLES: Record<BranchListName, string> = {
  all: 'No branch yet',
  master: 'No master manages a branch yet',
  adhoc: 'No adhoc branch yet',
}

const EMPTY_TEXTS: Record<BranchListName, string> = {
  all: 'Vouchers are redeemed at branches. Create one, then its POS users.',
  master: 'A branch is given to a master in its form.',
  adhoc: 'For an event: a branch that takes vouchers from its first day to its last.',
}

/** What is missing, and one way out. */
const NoBranches = ({ name }: { name: BranchListName }) => (
  <EmptyState
    icon={ICONS.store}
    title={EMPTY_TITLES[name]}
    text={EMPTY_TEXTS[name]}
    actions={<WayToFirst name={name} />}
  />
)

function WayToFirst({ name }: { name: BranchListName }) {
  const mayCreate = usePermission('branches', 'create')
  if (name === 'master') {
    return (
      <Link to="/masters" className={buttonClass()}>
        Open masters
      </Link>
    )
  }
  return (
    mayCreate && (
      <OnlineLink {...creation(name)} icon={ICONS.plus} variant="primary">
        {createLabel(name)}
      </OnlineLink>
    )
  )
}
