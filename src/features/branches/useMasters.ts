import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { masters } from '../../contract/masters.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** The masters of the organisation by name, stored for offline use. None for a person who may not see them. */
export function useMasters() {
  const { guid } = useUser()
  const seesMasters = usePermission('masters', 'view')
  return useCachedRead(guid, 'masters', masters.list.answer, () =>
    seesMasters ? call(masters.list) : Promise.resolve([]),
  )
}
