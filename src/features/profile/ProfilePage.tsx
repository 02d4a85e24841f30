import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink, ownSubject } from '../../blocks/activity/ActivityLink.tsx'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { OwnPosUsers } from '../../blocks/pos-users/PosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { ProfilePanels } from './ProfilePanels.tsx'
import { SecurityPanel } from './security/SecurityPanel.tsx'

export function ProfilePage() {
  usePageTitle('Profile')
  const read = useProfile()
  const mayEdit = usePermission('profile', 'edit')
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
              <ActivityLink type={type} guid={guid} />
              {mayEdit && (
                <OnlineLink to="/profile/$type" params={{ type: 'edit' }} variant="primary">
                  Edit profile
                </OnlineLink>
              )}
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
