import { LIMITS } from '../../contract/limits.ts'
import { VOUCHERS_PER_BILL } from '../../domain/vouchers.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { openTillRows, tillRowsByIds } from '../../offline/redemptions/tillRows.ts'
import type { Refusal, TillRow } from '../../offline/store/till.ts'
import { bill, type Bill } from '../../state/counter.ts'
import { countsAsRedeemed } from './useTillRows.ts'

/**
 * What the counter shows. A `redeemed` voucher is on this device's disk. The screen reads from there what it says of it, so
 * "Redeemed" is never shown before it is stored (rule 9.11).
 */
export type CounterState =
  | { at: 'ready' }
  | { at: 'pin'; serial: string; problem?: Refusal }
  | { at: 'verifying'; serial: string; since: number }
  | { at: 'confirm'; row: TillRow; problem?: 'unstored' }
  | { at: 'redeemed'; id: string; since: number }
  | { at: 'known'; row: TillRow }
  | { at: 'refused'; refused: Refusal; serial: string }
  | { at: 'not-checked'; serial: string; why: 'connectivity' | 'unstored' | 'over' }
  | { at: 'unread'; scanned: string; why: 'product' | 'misread'; since: number }
  | { at: 'full'; serial: string; full: CounterLimit; since: number }
  | { at: 'bill'; bill: Bill; since: number }

export const READY: CounterState = { at: 'ready' }

/** Between two customers: no voucher is being dealt with, so a scan may begin the next one. */
export const isBetweenCustomers = ({ at }: CounterState): boolean => BETWEEN.includes(at)

const BETWEEN: readonly CounterState['at'][] = ['ready', 'refused', 'known', 'not-checked', 'unread', 'full', 'bill']

export type CounterLimit = 'bill' | 'holds'

/**
 * Why no further voucher is verified: the open bill is full, or as many vouchers of this device wait for the server as one till
 * may hold (rule 9.8). The server counts holds itself; this check tells the cashier before anything is sent.
 */
export async function limitReached(): Promise<CounterLimit | undefined> {
  const database = tillDatabase()
  const onBill = bill.open ? await tillRowsByIds(database, bill.taken) : []
  if (onBill.filter(countsAsRedeemed).length >= VOUCHERS_PER_BILL) return 'bill'
  return (await openTillRows(database)).length >= LIMITS.openHolds ? 'holds' : undefined
}
