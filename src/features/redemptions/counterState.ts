import { LIMITS } from '../../contract/limits.ts'
import { VOUCHERS_PER_BILL } from '../../domain/vouchers.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { openTillRows, tillRowsByIds } from '../../offline/redemptions/tillRows.ts'
import type { Refusal, TillRow } from '../../offline/store/till.ts'
import { bill } from '../../state/counter.ts'
import { countsAsRedeemed } from './useTillRows.ts'

/**
 * What the counter shows. `taken` is a voucher on this device's disk: what the screen says of it, "Redeemed" above all, is read
 * from the disk, and so it never runs ahead of it (rule 9.11).
 */
export type CounterState =
  | { at: 'ready' }
  | { at: 'pin'; serial: string; problem?: Refusal }
  | { at: 'verifying'; serial: string; since: number }
  | { at: 'confirm'; row: TillRow; problem?: 'unstored' }
  | { at: 'taken'; id: string; since: number }
  | { at: 'known'; row: TillRow }
  | { at: 'refused'; refused: Refusal; serial: string }
  | { at: 'not-checked'; serial: string; why: 'line' | 'unstored' | 'over' }
  | { at: 'full'; serial: string; full: CounterLimit }

export const READY: CounterState = { at: 'ready' }

/** Between two customers: nothing is in anybody's hand, and a scan may begin the next. */
export const isBetweenCustomers = ({ at }: CounterState): boolean => BETWEEN.includes(at)

const BETWEEN: readonly CounterState['at'][] = ['ready', 'refused', 'known', 'not-checked', 'full']

export type CounterLimit = 'bill' | 'holds'

/**
 * Why no further voucher is asked about: the open bill has its fifteen, or as many vouchers of this device wait for the server as
 * it lets one till hold (rule 9.8). The server counts the holds itself; here the cashier is told before anything is asked.
 */
export async function limitReached(): Promise<CounterLimit | undefined> {
  const database = tillDatabase()
  const onBill = bill.open ? await tillRowsByIds(database, bill.taken) : []
  if (onBill.filter(countsAsRedeemed).length >= VOUCHERS_PER_BILL) return 'bill'
  return (await openTillRows(database)).length >= LIMITS.openHolds ? 'holds' : undefined
}
