import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { BranchField, useReferenceListHint } from '../../blocks/reference-lists/ReferenceListFields.tsx'
import { posUserOptions } from '../../contract/reports/reportFilters.ts'
import type { Option } from '../../contract/tables/tableQuery.ts'
import { listKey } from '../../offline/reads/cachedRead.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'

interface TextField {
  value: string
  onChange: (value: string) => void
}

/**
 * A branch and one of its POS users. The second field waits for the first, and is cleared when the branch changes. A Branch
 * Merchant has one branch, and is not asked for it.
 */
export function BranchAndPosFields<B extends TextField, P extends TextField>({ branch, pos }: { branch: B; pos: P }) {
  const { branch_guid: own } = useUser()
  if (own !== null) return <PosField branchGuid={own} pos={pos} />
  const chooseBranch = (value: string) => {
    branch.onChange(value)
    pos.onChange('')
  }
  return (
    <>
      <BranchField {...branch} all="All branches" onChange={chooseBranch} />
      {branch.value === '' ? (
        <SelectField
          {...pos}
          label="POS user"
          hint="Choose one branch first."
          disabled
          options={optionsOf('All POS users', [])}
        />
      ) : (
        <PosField key={branch.value} branchGuid={branch.value} pos={pos} />
      )}
    </>
  )
}

function PosField<P extends TextField>({ branchGuid, pos }: { branchGuid: string; pos: P }) {
  const { guid } = useUser()
  const body = { branch_guid: branchGuid }
  const list = useCachedRead(guid, listKey('filter.posUsers', body), posUserOptions.answer, (signal) =>
    call(posUserOptions, { body, signal }),
  )
  return (
    <SelectField
      {...pos}
      label="POS user"
      disabled={list.phase === 'loading'}
      options={optionsOf('All POS users', list.data)}
      {...useReferenceListHint({ asOf: list.age, phase: list.phase })}
    />
  )
}

const optionsOf = (all: string, entries: Option[] | undefined) => [
  { value: '', label: all },
  ...(entries ?? []).map(({ guid, name }) => ({ value: guid, label: name })),
]
