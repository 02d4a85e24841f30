import { useMemo } from 'react'
import { masterApi } from '../../api/business.ts'
import { BackLink } from '../../blocks/page/BackLink.tsx'
import { usePermission } from '../../blocks/useMay.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useReferenceList } from '../../offline/reads/useReferenceList.ts'
import { branchImport } from './importKinds.ts'
import { ImportPage } from './ImportPage.tsx'

/** Who sees masters may name them; the kept list of them will do without a line. */
export function BranchImportPage() {
  const { guid, merchant_id } = useUser()
  const seesMasters = usePermission('masters', 'view')
  const { entries } = useReferenceList(guid, 'masters', () => (seesMasters ? masterApi.list() : Promise.resolve([])))
  const kind = useMemo(
    () => branchImport(merchant_id, seesMasters ? (entries ?? []) : undefined),
    [merchant_id, seesMasters, entries],
  )
  return <ImportPage kind={kind} back={<BackLink to="/branches">Branches</BackLink>} />
}
