import { useNavigate } from '@tanstack/react-router'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import type { Profile } from '../../contract/profile.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AccountProfileForm } from './AccountProfileForm.tsx'
import { isOrganisation, type AccountProfile } from './organisationProfile.ts'
import { OrganisationProfileForm } from './OrganisationProfileForm.tsx'
import { useProfile } from '../../blocks/accounts/useProfile.ts'

export function EditProfilePage() {
  usePageTitle('Edit profile')
  const navigate = useNavigate()
  const read = useProfile()
  const { data, asOf } = read
  const leave = () => void navigate({ to: '/profile' })
  return (
    <>
      <PageHeader
        back={<BackLink to="/profile">Profile</BackLink>}
        title="Edit profile"
        note={data && `${data.company_name}, merchant ID ${data.merchant_id}`}
      />
      <RecordRead read={read} what="Your profile" settled>
        {(profile: Profile) =>
          isOrganisation(profile) ? (
            <OrganisationProfileForm key={profile.revision} {...{ profile, asOf }} onLeave={leave} />
          ) : (
            <AccountProfileForm key={profile.revision} profile={profile as AccountProfile} onLeave={leave} />
          )
        }
      </RecordRead>
    </>
  )
}
