import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { billTotals } from '../../domain/vouchers.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { tillRowsByIds } from '../../offline/redemptions/tillRows.ts'
import { countsAsRedeemed } from '../../offline/store/till.ts'
import { bill } from '../../state/counter.ts'

/** The open bill in one sentence. Its vouchers are on the disk, so this is loaded where there is one. */
export async function openBillText(): Promise<string> {
  const { amount_cents: amount, taken } = bill
  const counted = (await tillRowsByIds(tillDatabase(), taken)).filter(countsAsRedeemed)
  const worths = counted.map(({ denomination_cents: cents = 0 }) => cents)
  const { vouchers, toCollect = 0 } = billTotals(amount, worths)
  return amount === null
    ? `A bill is open, with ${pluralize(counted.length, 'voucher')}, ${formatCents(vouchers)}.`
    : `A bill of ${formatCents(amount)} is open, ${formatCents(toCollect)} still to pay.`
}
