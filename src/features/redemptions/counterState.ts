import { LIMITS } from '../../contract/limits.ts'
import { isSignedVoucher } from '../../domain/signedVouchers.ts'
import { serialFromScan, VOUCHERS_PER_BILL, type ScanProblem } from '../../domain/vouchers.ts'
import type { Silence } from '../../offline/allowance/Acceptance.ts'
import { tillDatabase } from '../../offline/redemptions/openTill.ts'
import { openTillRows, tillRowsByIds } from '../../offline/redemptions/tillRows.ts'
import { countsAsRedeemed, type Refusal, type TillRow } from '../../offline/store/till.ts'
import { bill, type Bill } from '../../state/counter.ts'

/** What was scanned or typed: a serial, and the whole code of a voucher that can prove itself. */
export interface Scan {
  serial: string
  code?: string | undefined
}

export const scanOf = (scanned: string): Scan => ({
  serial: serialFromScan(scanned),
  ...(isSignedVoucher(scanned) && { code: scanned.trim() }),
})

/**
 * What the counter shows. A `redeemed` voucher is on this device's disk. The screen reads from there what it says of it, so
 * "Redeemed" is never shown before it is stored (rule 9.11).
 */
export type CounterState =
  | { at: 'ready' }
  | ({ at: 'pin'; problem?: Refusal } & Scan)
  | ({ at: 'verifying'; since: number } & Scan)
  | { at: 'confirm'; row: TillRow; problem?: 'unstored' }
  /** Nothing answers, and it may be accepted at the shop's risk, or it is said why not. */
  | ({ at: 'silence'; silence: Exclude<Silence, { is: 'none' }> } & Scan)
  | { at: 'redeemed'; id: string; since: number }
  | { at: 'known'; row: TillRow; since: number }
  | { at: 'refused'; refused: Refusal; serial: string }
  | ({ at: 'not-checked'; why: 'connectivity' | 'answered' | 'unstored' | 'over' } & Scan)
  | { at: 'unread'; scanned: string; why: ScanProblem; since: number }
  | ({ at: 'full'; full: CounterLimit; since: number } & Scan)
  | { at: 'bill'; bill: Bill; since: number }

export const READY: CounterState = { at: 'ready' }

/** Between two customers: no voucher is being dealt with, so a scan may begin the next one. */
export const isBetweenCustomers = (state: CounterState): boolean =>
  state.at === 'silence' ? state.silence.is === 'not' : BETWEEN.includes(state.at)

const BETWEEN: readonly CounterState['at'][] = ['ready', 'refused', 'known', 'not-checked', 'unread', 'full', 'bill']

/** The voucher that a step is about; `undefined` between two customers. */
export function serialInHand(state: CounterState): string | undefined {
  if (state.at === 'confirm') return state.row.serial
  const isInHand =
    state.at === 'silence' ? state.silence.is === 'offer' : state.at === 'pin' || state.at === 'verifying'
  return isInHand && 'serial' in state ? state.serial : undefined
}

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
