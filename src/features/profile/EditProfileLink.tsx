import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { useOffline } from '../../blocks/useOffline.ts'
import { useUser } from '../../blocks/useUser.ts'
import { may } from '../../domain/permissions.ts'
import { auth } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'

export function EditProfileLink() {
  const user = useUser()
  const { permissions } = useSnapshot(auth)
  const offline = useOffline()
  if (!may(user, { feature: 'profile', action: 'edit' }, permissions)) return null
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
