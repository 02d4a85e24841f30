import { useProfile } from '../../blocks/accounts/useProfile.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { ActivityLink, ownSubject } from '../../blocks/activity/ActivityLink.tsx'
import { OnlineLink } from '../../blocks/connectivity/OnlineLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { PosUsers, type PosTable } from '../../blocks/pos-users/PosUsers.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { ProfilePanels } from './ProfilePanels.tsx'
import { SecurityPanel } from './security/SecurityPanel.tsx'

type ProfileTab = 'pos' | 'details'

interface Props {
  /** The selected tab. Only a branch has tabs, because its POS users change often. */
  tab: ProfileTab
  onTab: (tab: ProfileTab) => void
  /** The state of the table of POS users. */
  pos: PosTable
}

export function ProfilePage({ tab, onTab, pos }: Props) {
  usePageTitle('Profile')
  const read = useProfile()
  const mayEdit = usePermission('profile', 'edit')
  const user = useUser()
  const [type, guid] = ownSubject(user)
  const { data, asOf } = read
  const details = (
    <>
      <RecordRead read={read} what="Your profile">
        {(profile) => <ProfilePanels profile={profile} asOf={asOf} />}
      </RecordRead>
      <SecurityPanel />
    </>
  )
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
      {user.branch_guid === null ? (
        details
      ) : (
        <>
          <Tabs id="profile" label="This branch" tabs={TABS} selected={tab} onSelect={onTab} />
          <TabPanel id="profile" selected={tab}>
            {tab === 'pos' ? (
              <PosUsers branch={{ guid: user.branch_guid, name: user.branch_name ?? 'this branch' }} {...pos} />
            ) : (
              details
            )}
          </TabPanel>
        </>
      )}
    </>
  )
}

const TABS = [
  { key: 'pos', label: 'POS users' },
  { key: 'details', label: 'Details' },
] as const
