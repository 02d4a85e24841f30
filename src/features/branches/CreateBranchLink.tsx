import { Link } from '@tanstack/react-router'
import { useMay } from '../../blocks/useMay.ts'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { BranchListName } from './branchList.ts'

/** Without a line too: what is typed there is kept, and sent later. */
export function CreateBranchLink({ from }: { from: BranchListName }) {
  if (!useMay('branches', 'create')) return null
  const adhoc = from === 'adhoc'
  return (
    <Link
      to="/branches/$type"
      params={{ type: 'create' }}
      search={adhoc ? { kind: 'adhoc' } : {}}
      className={buttonClass({ variant: 'primary' })}
    >
      <Icon name="plus" />
      {adhoc ? 'Create adhoc branch' : 'Create branch'}
    </Link>
  )
}
