import { call } from '../../api/call.ts'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { masters } from '../../contract/masters.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** Reads one branch from the server, or from the copy on this device. */
export function useBranch(id: string) {
  const { guid } = useUser()
  return useCachedRead(guid, `branch/${id}`, Branch, (signal) => call(branches.get, { params: { id }, signal }))
}

/** True once a master is known whom this person may see. Until then, no screen says who manages a branch. */
export function useHasMasters(): boolean {
  const { data = [] } = useMasters()
  return data.length > 0
}

/** Reads the organisation's masters, stored for offline use. Empty for a person who may not see them. */
export function useMasters() {
  const { guid } = useUser()
  const seesMasters = usePermission('masters', 'view')
  return useCachedRead(guid, 'masters', masters.list.answer, () =>
    seesMasters ? call(masters.list) : Promise.resolve([]),
  )
}
