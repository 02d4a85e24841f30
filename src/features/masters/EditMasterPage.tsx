import { masterApi } from '../../api/business.ts'
import { ActivityLink } from '../../blocks/activity/ActivityLink.tsx'
import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Master } from '../../contract/masters.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { MasterForm } from './MasterForm.tsx'
import { MasterPanel } from './MasterPanel.tsx'

export function EditMasterPage({ id }: { id: string }) {
  const { guid } = useUser()
  const read = useCachedRead(guid, `master/${id}`, Master, (signal) => masterApi.get({ params: { id }, signal }))
  usePageTitle(read.data ? `Edit ${read.data.name}` : 'Edit master')
  return (
    <>
      <PageHeader
        back={<BackLink to="/masters">Masters</BackLink>}
        title={read.data?.name ?? 'Edit master'}
        badge={read.data && <AccountBadge status={read.data.status} />}
        actions={<ActivityLink type="master" guid={id} />}
      />
      <RecordRead read={read} what="This master" settled>
        {(master) => (
          <div className="split">
            <MasterForm key={master.revision} master={master} />
            <MasterPanel master={master} />
          </div>
        )}
      </RecordRead>
    </>
  )
}
