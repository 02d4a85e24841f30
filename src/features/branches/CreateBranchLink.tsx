import { Link } from '@tanstack/react-router'
import { useMay } from '../../blocks/useMay.ts'
import { useOffline } from '../../blocks/useOffline.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { BranchListName } from './branchList.ts'

export function CreateBranchLink({ from }: { from: BranchListName }) {
  const mayCreate = useMay('branches', 'create')
  const offline = useOffline()
  if (!mayCreate) return null
  const adhoc = from === 'adhoc'
  const words = adhoc ? 'Create adhoc branch' : 'Create branch'
  if (offline) {
    return (
      <Button icon="plus" variant="primary" aria-disabled title="Needs a connection">
        {words}
      </Button>
    )
  }
  return (
    <Link
      to="/branches/$type"
      params={{ type: 'create' }}
      search={adhoc ? { kind: 'adhoc' } : {}}
      className={buttonClass({ variant: 'primary' })}
    >
      <Icon name="plus" />
      {words}
    </Link>
  )
}
