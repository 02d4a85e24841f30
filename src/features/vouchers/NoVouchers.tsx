import { Blank } from '../../ui/Blank.tsx'
import { Button } from '../../ui/Button.tsx'
import type { VoucherTableState } from './VouchersPage.tsx'

/** What is missing, and one way out. */
export function NoVouchers({ state, onClear }: { state: VoucherTableState; onClear: () => void }) {
  const filtered = state.q !== '' || Object.keys(state.filter).length > 0
  if (!filtered && state.page === 1) {
    return <Blank icon="ticket" title="No voucher yet" text="Vouchers appear here once a branch redeems one." />
  }
  return (
    <Blank
      icon="search"
      title={state.q.length === 13 ? 'No voucher with this serial number' : 'No voucher found'}
      text={
        state.q.length === 13
          ? 'No voucher of the programme has it. Compare it with the number under the barcode.'
          : 'A voucher that your branches neither hold nor redeemed is found by its full serial number only.'
      }
      actions={<Button onClick={onClear}>Clear search</Button>}
    />
  )
}
