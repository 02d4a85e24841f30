import { AccountBadge } from '../../blocks/accounts/AccountBadge.tsx'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { RecordRead } from '../../blocks/record/RecordRead.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BranchEditForm } from './BranchEditForm.tsx'
import { useBranch } from './useBranch.ts'

export function EditBranchPage({ id }: { id: string }) {
  const read = useBranch(id)
  const { data: branch } = read
  usePageTitle(branch ? `Edit ${branch.name}` : 'Edit branch')
  return (
    <>
      <PageHeader
        back={
          <BackLink to="/branches/$type/$id" params={{ type: id, id: 'view' }}>
            {branch?.name ?? 'Branch'}
          </BackLink>
        }
        title={branch ? `Edit ${branch.name}` : 'Edit branch'}
        badge={branch && <AccountBadge status={branch.status} />}
        note={branch && `Branch code ${branch.code}`}
      />
      <RecordRead read={read} what="This branch" settled>
        {(one) => <BranchEditForm key={one.revision} branch={one} />}
      </RecordRead>
    </>
  )
}
