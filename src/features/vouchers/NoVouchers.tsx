import { isNarrowed } from '../../blocks/tables/ListFilters.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Button } from '../../ui/Button.tsx'
import { areDaysReversed } from './VoucherFilters.tsx'
import type { VoucherTableState } from './voucherList.ts'

export const UNKNOWN_SERIAL = 'No voucher with this serial number'

/** What is missing, and one way out. */
export function NoVouchers({ state, onClear }: { state: VoucherTableState; onClear: () => void }) {
  if (!isNarrowed(state) && state.page === 1) {
    return <EmptyState icon="ticket" title="No voucher yet" text="Vouchers appear here once a branch redeems one." />
  }
  return <EmptyState icon="search" {...emptyText(state)} actions={<Button onClick={onClear}>Clear search</Button>} />
}

function emptyText({ q, filter }: VoucherTableState) {
  if (areDaysReversed(filter)) return { title: 'No voucher found', text: 'The days are the wrong way round.' }
  if (q.length === 13) {
    const text = 'No voucher of the programme has it. Compare it with the number under the barcode.'
    return { title: UNKNOWN_SERIAL, text: isFiltered(filter) ? 'It may be one that the filters leave out.' : text }
  }
  const text = 'A voucher that your branches neither hold nor redeemed is found by its full serial number only.'
  return { title: 'No voucher found', text }
}

const isFiltered = (filter: VoucherTableState['filter']) => Object.values(filter).some(Boolean)
