import { accountApi } from '../../api/portal.ts'
import { useUser } from '../../blocks/useUser.ts'
import { myInfo } from '../../contract/account.ts'
import { useCachedRead } from '../../offline/page/useCachedRead.ts'

/** Whether each voucher is checked with the branch's PIN (spec §5). Until that is known the server says so, and the PIN is asked. */
export function usePinRequired(): boolean {
  const { guid } = useUser()
  const { data } = useCachedRead(guid, 'account.my_info', myInfo.answer, (signal) => accountApi.myInfo({ signal }))
  return data?.counter?.pin_required ?? false
}
