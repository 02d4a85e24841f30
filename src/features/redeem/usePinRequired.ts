import { accountApi } from '../../api/portal.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** Whether each voucher is checked with the branch's PIN (spec §5). Until that is known the server says so, and the PIN is asked. */
export function usePinRequired(owner: string): boolean {
  const { data } = useCachedRead(owner, 'account.my_info', myInfo.answer, (signal) => accountApi.myInfo({ signal }))
  return data?.counter?.pin_required ?? false
}
