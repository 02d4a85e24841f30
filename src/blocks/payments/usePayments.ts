import { call } from '../../api/call.ts'
import { Payments, readPayments } from '../../contract/payments.ts'
import { useCachedRead, type CachedRead } from '../../offline/reads/useCachedRead.ts'
import { useUser } from '../accounts/useUser.ts'

/** Reads the statements that this person may see, stored for offline use. */
export function usePayments(): CachedRead<Payments> {
  const { guid } = useUser()
  return useCachedRead(guid, 'payments', Payments, (signal) => call(readPayments, { signal }))
}
