import { Link, useNavigate } from '@tanstack/react-router'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { needsConnection, useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { filterField, isEmptyList, ListFilters, StatusFilter } from '../../blocks/tables/ListFilters.tsx'
import { ImportLink } from '../../blocks/tables/ListTools.tsx'
import type { ListState } from '../../blocks/tables/RecordList.ts'
import { RecordTable } from '../../blocks/tables/RecordTable.tsx'
import { useRecordList } from '../../blocks/tables/useRecordList.ts'
import type { BranchRow } from '../../contract/branches.ts'
import { buttonClass, TAB, TabLinks } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { branchDeleteItem, branchStatusItem, loginItems } from './branchActions.ts'
import { BRANCH_LISTS, type BranchListName } from './branchList.tsx'
import { useHasMasters, useMasters } from './branchReads.ts'

interface Props extends ListState<'branch'> {
  name: BranchListName
}

/** One of the three lists of branches. */
export function BranchesPage({ name, state, onState }: Props) {
  usePageTitle('Branches')
  const hasMasters = useHasMasters()
  const mayEdit = usePermission('branches', 'edit')
  const mayCreate = usePermission('branches', 'create')
  const { list: fullList, note, empty } = BRANCH_LISTS[name]
  const list = hasMasters ? fullList : { ...fullList, columns: fullList.columns.filter(({ key }) => key !== 'master') }
  const read = useRecordList(list, state)
  const rowMenu = useRowMenu(mayEdit, read.retry)
  const filter = filterField({ state, onState })
  // An empty list says what to do in its middle.
  const isEmpty = isEmptyList(read, state)
  return (
    <>
      <PageHeader
        title="Branches"
        note={!isEmpty && note}
        actions={
          !isEmpty &&
          mayCreate && (
            <>
              {(read.data?.total ?? 0) >= MIN_BRANCHES_FOR_IMPORT && <ImportLink to="/imports/branches" />}
              <CreateBranchLink from={name} />
            </>
          )
        }
      />
      {!(isEmpty && name === 'all') && (
        <TabLinks label="Lists of branches">
          <Link className={TAB} to="/branches" activeOptions={EXACT_PATH}>
            All
          </Link>
          {hasMasters && (
            <Link className={TAB} to="/branches/$type" params={{ type: 'master' }} activeOptions={EXACT_PATH}>
              Master
            </Link>
          )}
          <Link className={TAB} to="/branches/$type" params={{ type: 'adhoc' }} activeOptions={EXACT_PATH}>
            Adhoc
          </Link>
        </TabLinks>
      )}
      <ListFilters search="Name, code or email" list={list} state={state} onState={onState} read={read}>
        <StatusFilter statuses={['Active', 'Inactive']} {...filter('status')} />
        <StatusFilter label="Login status" statuses={['Active', 'Pending Activation']} {...filter('account_status')} />
        {hasMasters && <MasterFilter withNone={name !== 'master'} {...filter('master')} />}
      </ListFilters>
      <RecordTable
        list={list}
        state={state}
        onState={onState}
        read={read}
        rowMenu={rowMenu}
        empty={
          <EmptyState
            drawing={DRAWINGS.empty}
            {...empty}
            actions={
              name === 'master' ? (
                <Link to="/masters" className={buttonClass()}>
                  Open masters
                </Link>
              ) : (
                mayCreate && <CreateBranchLink from={name} />
              )
            }
          />
        }
        noMatch={{ title: 'No branch matches' }}
      />
    </>
  )
}

/** With fewer branches, only the form links to the import. */
const MIN_BRANCHES_FOR_IMPORT = 3

const EXACT_PATH = { exact: true, includeSearch: false } as const

function useRowMenu(mayEdit: boolean, onChanged: () => void) {
  const offline = useOffline()
  const navigate = useNavigate()
  const open = (guid: string, id: 'view' | 'edit') =>
    void navigate({ to: '/branches/$type/$id', params: { type: guid, id } })
  return (row: BranchRow) => {
    const view = { label: 'View', onSelect: () => open(row.guid, 'view') }
    if (!mayEdit) return [view]
    const actions = [
      { label: 'Edit', onSelect: () => open(row.guid, 'edit') },
      ...loginItems(row, onChanged),
      branchStatusItem(row, onChanged),
      branchDeleteItem(row, onChanged),
    ]
    return [view, ...needsConnection(offline, actions)]
  }
}

const CreateBranchLink = ({ from }: { from: BranchListName }) => (
  <OnlineLink
    to="/branches/$type"
    params={{ type: 'create' }}
    search={{ kind: from === 'adhoc' ? 'adhoc' : 'permanent' }}
    icon={ICONS.plus}
    variant="primary"
  >
    {from === 'adhoc' ? 'Create adhoc branch' : 'Create branch'}
  </OnlineLink>
)

interface MasterFilterProps {
  value: string
  /** False for the list in which every branch has a master: it offers no "Main account". */
  withNone: boolean
  onChange: (master: string) => void
}

function MasterFilter({ value, withNone, onChange }: MasterFilterProps) {
  const { data: entries = [] } = useMasters()
  const none = withNone ? [{ value: 'none', label: 'Main account' }] : []
  const masters = entries.map(({ guid, name }) => ({ value: guid, label: name }))
  return (
    <SelectField
      label="Managed by"
      value={value}
      onChange={onChange}
      options={[{ value: '', label: 'All' }, ...none, ...masters]}
    />
  )
}
