import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { MasterForm } from './MasterForm.tsx'

export function CreateMasterPage() {
  usePageTitle('Create master')
  return (
    <>
      <PageHeader
        back={<BackLink to="/masters">Masters</BackLink>}
        title="Create master"
        note="A master logs in on its own and manages the branches you assign to it."
      />
      <MasterForm />
    </>
  )
}
