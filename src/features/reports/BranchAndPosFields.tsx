import { filterApi } from '../../api/portal.ts'
import { BranchField } from '../../blocks/BranchField.tsx'
import { useUser } from '../../blocks/useUser.ts'
import { posUsers } from '../../contract/filter.ts'
import type { Option } from '../../contract/tableQuery.ts'
import { useCachedRead } from '../../offline/page/useCachedRead.ts'
import { SelectField } from '../../ui/SelectField.tsx'

interface TextField {
  value: string
  onChange: (value: string) => void
}

/** The POS users of one branch: the second field waits for the first, and forgets its choice when the branch changes. */
export function BranchAndPosFields<B extends TextField, P extends TextField>({ branch, pos }: { branch: B; pos: P }) {
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
  const list = useCachedRead(guid, `filter.posUsers ${branchGuid}`, posUsers.answer, (signal) =>
    filterApi.posUsers({ body: { branch_guid: branchGuid }, signal }),
  )
  return (
    <SelectField
      {...pos}
      label="POS user"
      disabled={list.phase === 'loading'}
      options={optionsOf('All POS users', list.data)}
      {...(list.phase === 'failed' ? { hint: 'The list needs a connection once.' } : {})}
    />
  )
}

const optionsOf = (all: string, entries: Option[] | undefined) => [
  { value: '', label: all },
  ...(entries ?? []).map(({ guid, name }) => ({ value: guid, label: name })),
]
