import { usePermission } from '../../blocks/accounts/useUser.ts'
import { ListFilters, StatusFilter, type ListFiltersProps } from '../../blocks/tables/ListFilters.tsx'
import { ListSearch } from '../../blocks/tables/ListSearch.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { BranchColumn, BranchFilter, BranchListName } from './branchList.tsx'
import { useMasters } from './useMasters.ts'

interface Props extends Pick<ListFiltersProps<BranchColumn, BranchFilter>, 'list' | 'state' | 'onState' | 'tools'> {
  name: BranchListName
}

export function BranchFilters({ name, ...props }: Props) {
  const { state, onState } = props
  const seesMasters = usePermission('masters', 'view')
  const narrow = (filter: BranchFilter) => (value: string) =>
    onState({ filter: { ...state.filter, [filter]: value }, page: 1 })
  return (
    <ListFilters {...props} views={name === 'all' ? 'branch' : `branch/${name}`}>
      <ListSearch label="Name, code or email" q={state.q} onSearch={(q) => onState({ q, page: 1 }, true)} />
      <StatusFilter value={state.filter.status} statuses={['Active', 'Inactive']} onChange={narrow('status')} />
      <StatusFilter
        label="Login status"
        value={state.filter.account_status}
        statuses={['Active', 'Pending Activation']}
        onChange={narrow('account_status')}
      />
      {seesMasters && (
        <MasterFilter value={state.filter.master} withNone={name !== 'master'} onChange={narrow('master')} />
      )}
    </ListFilters>
  )
}

interface MasterFilterProps {
  value: string | undefined
  /** False in the list where every branch has a master. */
  withNone: boolean
  onChange: (master: string) => void
}

function MasterFilter({ value = '', withNone, onChange }: MasterFilterProps) {
  const { data: entries = [] } = useMasters()
  const none = withNone ? [{ value: 'none', label: 'Main account' }] : []
  const masters = entries.map(({ guid, name }) => ({ value: guid, label: name }))
  return (
    <SelectField
      label="Managed by"
      {...{ value, onChange }}
      options={[{ value: '', label: 'All' }, ...none, ...masters]}
    />
  )
}
