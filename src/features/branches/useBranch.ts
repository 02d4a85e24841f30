import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** One branch from the server, or as it is stored on this device. */
export function useBranch(id: string) {
  const { guid } = useUser()
  return useCachedRead(guid, `branch/${id}`, Branch, (signal) => call(branches.get, { params: { id }, signal }))
}
