import { Link, useNavigate } from '@tanstack/react-router'
import { useNewShortcut } from '../../blocks/shortcuts/useNewShortcut.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { LIMITS } from '../../contract/limits.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { showLimitDialog, type WayToMasters } from './accountLimit.ts'

interface CreateMasterButtonProps {
  open: number | undefined
  wayToMasters: WayToMasters
}

/** At the limit it says so instead of opening a form that cannot be sent. */
export function CreateMasterButton({ open, wayToMasters }: CreateMasterButtonProps) {
  const offline = useOffline()
  const navigate = useNavigate()
  const isFull = open !== undefined && open >= LIMITS.openMasters
  useNewShortcut('Create master', !offline, () =>
    isFull ? void showLimitDialog(wayToMasters) : void navigate({ to: '/masters/$type', params: { type: 'create' } }),
  )
  if (offline) {
    return (
      <Button icon="plus" variant="primary" aria-disabled title="Needs a connection">
        Create master
      </Button>
    )
  }
  if (isFull) {
    return (
      <Button icon="plus" variant="primary" onClick={() => void showLimitDialog(wayToMasters)}>
        Create master
      </Button>
    )
  }
  return (
    <Link to="/masters/$type" params={{ type: 'create' }} className={buttonClass({ variant: 'primary' })}>
      <Icon name="plus" />
      Create master
    </Link>
  )
}
