import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { ownSubject } from '../../blocks/activityAbout.ts'
import { OwnPosUsers } from '../../blocks/pos/OwnPosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { EditProfileLink } from './EditProfileLink.tsx'
import { ProfilePanels } from './ProfilePanels.tsx'
import { SecurityPanel } from './security/SecurityPanel.tsx'
import { useProfile } from '../../blocks/accounts/useProfile.ts'

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
