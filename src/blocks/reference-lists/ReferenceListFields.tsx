import { filterApi } from '../../api/portal.ts'
import { useReferenceList } from '../../offline/reads/useReferenceList.ts'
import type { ControlProps } from '../../ui/form/Field.tsx'
import { SelectField } from '../../ui/form/SelectField.tsx'
import { useReferenceListHint } from '../useListHint.ts'
import { useUser } from '../accounts/useUser.ts'

interface BranchFieldProps extends ControlProps {
  all?: string
  className?: string
}

/** Branches of my scope, offline from what the worker kept. `value` is a guid; empty is all. */
export function BranchField({ all = 'All', ...field }: BranchFieldProps) {
  const { guid } = useUser()
  const list = useReferenceList(guid, 'branches', () => filterApi.branches())
  const options = (list.entries ?? []).map((branch) => ({ value: branch.guid, label: branch.name }))
  const isListed = field.value === '' || options.some(({ value }) => value === field.value)
  // A link may name a branch that I do not see: the field must not say "All" then.
  const other = isListed ? [] : [{ value: field.value, label: list.entries ? 'Another branch' : 'One branch' }]
  return (
    <SelectField
      {...field}
      label="Branch"
      options={[{ value: '', label: all }, ...options, ...other]}
      {...useReferenceListHint(list)}
    />
  )
}
