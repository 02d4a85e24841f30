import { Link, useNavigate } from '@tanstack/react-router'
import { useNewShortcut } from '../../blocks/shortcuts/useNewShortcut.ts'
import { usePermission } from '../../blocks/useMay.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import type { BranchListName } from './branchList.tsx'

export function CreateBranchLink({ from }: { from: BranchListName }) {
  const mayCreate = usePermission('branches', 'create')
  const offline = useOffline()
  const navigate = useNavigate()
  const adhoc = from === 'adhoc'
  const words = adhoc ? 'Create adhoc branch' : 'Create branch'
  const place = {
    to: '/branches/$type',
    params: { type: 'create' },
    search: { kind: adhoc ? 'adhoc' : 'permanent' },
  } as const
  useNewShortcut(words, mayCreate && !offline, () => void navigate(place))
  if (!mayCreate) return null
  if (offline) {
    return (
      <Button icon="plus" variant="primary" aria-disabled title="Needs a connection">
        {words}
      </Button>
    )
  }
  return (
    <Link {...place} className={buttonClass({ variant: 'primary' })}>
      <Icon name="plus" />
      {words}
    </Link>
  )
}
