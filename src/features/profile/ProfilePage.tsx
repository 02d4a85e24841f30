import { Link } from '@tanstack/react-router'
import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink, ownSubject } from '../../blocks/activity/ActivityLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { OwnPosUsers } from '../../blocks/pos-users/PosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ProfilePanels } from './ProfilePanels.tsx'
import { SecurityPanel } from './security/SecurityPanel.tsx'

export function ProfilePage() {
  usePageTitle('Profile')
  const read = useProfile()
  const [type, guid] = ownSubject(useUser())
  const { data, asOf } = read
  return (
    <>
      <PageHeader
        title="Profile"
        note={data && `${data.company_name}, merchant ID ${data.merchant_id}`}
        actions={
          data && (
            <>
              <ActivityLink {...{ type, guid }} />
              <EditProfileLink />
            </>
          )
        }
      />
      <RecordRead read={read} what="Your profile">
        {(profile) => <ProfilePanels profile={profile} asOf={asOf} />}
      </RecordRead>
      <OwnPosUsers />
      <SecurityPanel />
    </>
  )
}

function EditProfileLink() {
  const mayEdit = usePermission('profile', 'edit')
  const offline = useOffline()
  if (!mayEdit) return null
  if (offline) {
    return (
      <div className="grid w-full justify-items-end phone:justify-items-stretch">
        <Button variant="primary" aria-disabled aria-describedby="edit-needs-line">
          Edit profile
        </Button>
        <p className="mt-1 text-muted" id="edit-needs-line">
          Editing needs a connection.
        </p>
      </div>
    )
  }
  return (
    <Link to="/profile/$type" params={{ type: 'edit' }} className={buttonClass({ variant: 'primary' })}>
      Edit profile
    </Link>
  )
}
