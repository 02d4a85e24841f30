import { voucherApi } from '../../api/business.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { readVoucher, type Voucher } from '../../contract/vouchers.ts'
import { type CachedRead, useCachedRead } from '../../offline/reads/useCachedRead.ts'

/** One voucher of my scope with what happened to it; kept for offline once opened. */
export function useVoucher(id: string): CachedRead<Voucher> {
  const { guid } = useUser()
  return useCachedRead(guid, `voucher.get ${id}`, readVoucher.answer, (signal) =>
    voucherApi.get({ params: { id }, signal }),
  )
}
