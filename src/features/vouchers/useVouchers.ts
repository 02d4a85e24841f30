import { voucherApi } from '../../api/portal.ts'
import { datatable } from '../../contract/voucher.ts'
import { toTableQuery } from '../../domain/tableState.ts'
import { useCachedRead } from '../../offline/page/useCachedRead.ts'
import type { VoucherTableState } from './VouchersPage.tsx'

/** One page of the table; the last-seen answer to the very same query is kept for offline. */
export function useVouchers(owner: string, state: VoucherTableState) {
  const body = toTableQuery(state)
  return useCachedRead(owner, `voucher.datatable ${JSON.stringify(body)}`, datatable.answer, (signal) =>
    voucherApi.datatable({ body, signal }),
  )
}
