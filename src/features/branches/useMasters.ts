import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { masters } from '../../contract/masters.ts'
import { useReferenceList } from '../../offline/reads/useReferenceList.ts'

/** The masters of the organisation by name, stored for offline use. None for a person who may not see them. */
export function useMasters() {
  const { guid } = useUser()
  const seesMasters = usePermission('masters', 'view')
  return useReferenceList(guid, 'masters', () => (seesMasters ? call(masters.list) : Promise.resolve([])))
}
