import { Link } from '@tanstack/react-router'
import { usePermission } from '../../blocks/useMay.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'

export function EditProfileLink() {
  const mayEdit = usePermission('profile', 'edit')
  const offline = useOffline()
  if (!mayEdit) return null
  if (offline) {
    return (
      <div className="grid w-full justify-items-end phone:justify-items-stretch">
        <Button variant="primary" aria-disabled aria-describedby="edit-needs-line">
          Edit profile
        </Button>
        <p id="edit-needs-line">Editing needs a connection.</p>
      </div>
    )
  }
  return (
    <Link to="/profile/$type" params={{ type: 'edit' }} className={buttonClass({ variant: 'primary' })}>
      Edit profile
    </Link>
  )
}
