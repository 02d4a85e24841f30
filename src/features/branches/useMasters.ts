import { masterApi } from '../../api/business.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { useReferenceList } from '../../offline/reads/useReferenceList.ts'

/** The masters of the organisation by name, kept for offline; none for who may not see them. */
export function useMasters() {
  const { guid } = useUser()
  const seesMasters = usePermission('masters', 'view')
  return useReferenceList(guid, 'masters', () => (seesMasters ? masterApi.list() : Promise.resolve([])))
}
