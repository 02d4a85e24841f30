import { OwnPosUsers } from '../../blocks/pos/OwnPosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { EditProfileLink } from './EditProfileLink.tsx'
import { ProfilePanels } from './ProfilePanels.tsx'
import { SecurityPanel } from './SecurityPanel.tsx'
import { useProfile } from '../../blocks/useProfile.ts'

export function ProfilePage() {
  usePageTitle('Profile')
  const read = useProfile()
  const { data, asOf } = read
  return (
    <>
      <PageHeader
        title="Profile"
        note={data && `${data.company_name}, merchant ID ${data.merchant_id}`}
        actions={data && <EditProfileLink />}
      />
      <RecordRead read={read} what="Your profile">
        {(profile) => <ProfilePanels profile={profile} asOf={asOf} />}
      </RecordRead>
      <OwnPosUsers />
      <SecurityPanel />
    </>
  )
}
