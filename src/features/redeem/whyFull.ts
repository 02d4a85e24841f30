import { VOUCHERS_PER_BILL } from '../../domain/billTotals.ts'
import { LIMITS } from '../../contract/limits.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { openTillRows, tillRowsByIds } from '../../offline/redemptions/tillRows.ts'
import { bill } from '../../state/counter.ts'
import { countsAsRedeemed } from '../redemptions/useTillRows.ts'

export type CounterLimit = 'bill' | 'holds'

/**
 * Why no further voucher is asked about: the open bill has its fifteen, or as many vouchers of this device wait for the server as
 * it lets one till hold (DESIGN §7). The server counts the holds itself; here the cashier is told before anything is asked.
 */
export async function limitReached(): Promise<CounterLimit | undefined> {
  const database = tillDatabase()
  const onBill = bill.open ? await tillRowsByIds(database, bill.taken) : []
  if (onBill.filter(countsAsRedeemed).length >= VOUCHERS_PER_BILL) return 'bill'
  return (await openTillRows(database)).length >= LIMITS.openHolds ? 'holds' : undefined
}
