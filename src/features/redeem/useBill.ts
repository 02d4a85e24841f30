import { useSnapshot } from 'valtio/react'
import { billTotals, VOUCHERS_PER_BILL, type BillTotals } from '../../domain/billTotals.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { readTillRows } from '../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import type { TillRow } from '../../offline/store/till.ts'
import { type Bill, bill } from '../../state/counter.ts'
import { countsAsRedeemed } from '../redemptions/useTillRows.ts'

export interface OpenBill extends BillTotals {
  amount_cents: number | null
  /** Each with what the disk says of it: one may have been refused after all, or voided. */
  taken: readonly TillRow[]
  refused: Bill['refused']
  isFull: boolean
}

/** The bill of the moment, if the cashier opened one. A voucher that was refused after upload counts no more. */
export function useBill(): OpenBill | undefined {
  const { open, amount_cents, taken, refused } = useSnapshot(bill)
  const rows = useLiveQuery(() => readTillRows(tillDatabase()), 'till') ?? []
  if (!open) return undefined
  const ours = rows.filter(({ id }) => taken.includes(id))
  const counted = ours.filter(countsAsRedeemed)
  const totals = billTotals(
    amount_cents,
    counted.map(({ denomination_cents = 0 }) => denomination_cents),
  )
  return { ...totals, amount_cents, taken: ours, refused: [...refused], isFull: counted.length >= VOUCHERS_PER_BILL }
}
