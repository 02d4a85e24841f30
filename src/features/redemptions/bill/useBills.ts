import { useSnapshot } from 'valtio/react'
import { billTotals, takenOff, VOUCHERS_PER_BILL, type BillTotals, type TakenOff } from '../../../domain/vouchers.ts'
import { countsAsRedeemed, isAtRisk, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { bill, type Bill } from '../../../state/counter.ts'

export interface BillNow extends BillTotals {
  amount_cents: number | null
  /** In the order of the taps, as the device has them now: one may have been refused after its upload, or voided. */
  redeemed: readonly TillRow[]
  /** Those of them that count. */
  counted: readonly TillRow[]
  refused: Bill['refused']
  /** Of the vouchers that count, in cents: what was accepted without a check. */
  atRisk: number
  isFull: boolean
}

export interface Bills {
  open: BillNow | undefined
  /** The one whose summary is on the screen. */
  finished: BillNow | undefined
}

/** The vouchers of both, whatever the clock of this device did since. */
export const useVouchersOnBills = (finished: Bill | undefined): string[] => [
  ...useSnapshot(bill).taken,
  ...(finished?.taken ?? []),
]

/** Both from one reading of the device, so that no summary begins with sums of nothing. */
export function useBills(finished: Bill | undefined, rows: readonly TillRow[]): Bills {
  const open = useSnapshot(bill) as Bill
  return { open: open.open ? billNow(open, rows) : undefined, finished: finished && billNow(finished, rows) }
}

/** A voucher that was refused after its upload does not count. */
function billNow({ amount_cents, taken, refused }: Bill, rows: readonly TillRow[]): BillNow {
  const redeemed = taken.flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const counted = redeemed.filter(countsAsRedeemed)
  const totals = billTotals(amount_cents, counted.map(worthInCents))
  const atRisk = sumCents(counted.filter(isAtRisk))
  return { ...totals, amount_cents, redeemed, counted, refused, atRisk, isFull: counted.length >= VOUCHERS_PER_BILL }
}

/** What `row` takes off the bill, or would: the vouchers before it come first. Without an amount all of it counts. */
export function takenOffBill(bill: BillNow | undefined, row: WorthOnBill): TakenOff {
  const place = bill?.redeemed.findIndex(({ id }) => id === row.id) ?? -1
  const before = place < 0 ? bill?.redeemed : bill?.redeemed.slice(0, place)
  const { toCollect } = billTotals(
    bill?.amount_cents ?? null,
    (before ?? []).filter(countsAsRedeemed).map(worthInCents),
  )
  return takenOff(toCollect, worthInCents(row))
}

/** `id`: of a voucher that is on the bill already. */
type WorthOnBill = Pick<TillRow, 'denomination_cents'> & { id?: string }

const worthInCents = ({ denomination_cents = 0 }: WorthOnBill): number => denomination_cents
