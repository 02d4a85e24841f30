import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Branch, branches } from '../../contract/branches.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** One branch as the server has it, or as this device has kept it. */
export function useBranch(id: string) {
  const { guid } = useUser()
  return useCachedRead(guid, `branch/${id}`, Branch, (signal) => call(branches.get, { params: { id }, signal }))
}
