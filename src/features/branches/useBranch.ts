import { branchApi } from '../../api/business.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Branch } from '../../contract/branches.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** One branch as the server has it, or as this device has kept it. */
export function useBranch(id: string) {
  const { guid } = useUser()
  return useCachedRead(guid, `branch/${id}`, Branch, (signal) => branchApi.get({ params: { id }, signal }))
}
