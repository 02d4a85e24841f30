import { LIMITS } from '../../contract/limits.ts'
import { isSignedVoucher } from '../../domain/signedVouchers.ts'
import { serialFromScan, VOUCHERS_PER_BILL, type ScanProblem } from '../../domain/vouchers.ts'
import type { NotAccepted, Offer } from '../../offline/redemptions/Acceptance.ts'
import type { Meter } from '../../offline/redemptions/allowance.ts'
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
  | { at: 'offer'; offer: Offer; problem?: 'unstored' }
  /** `meter`: of one that was accepted without a check. */
  | { at: 'redeemed'; id: string; since: number; meter?: Meter | undefined }
  | { at: 'known'; row: TillRow; since: number }
  | { at: 'refused'; refused: Refusal; serial: string }
  | ({ at: 'not-checked'; why: 'connectivity' | 'answered' | 'unstored' | 'over' } & Scan)
  | ({ at: 'not-accepted'; why: NotAccepted | 'pin'; meter?: Meter | undefined } & Scan)
  | { at: 'unread'; scanned: string; why: ScanProblem; since: number }
  | ({ at: 'full'; full: CounterLimit; since: number } & Scan)
  | { at: 'bill'; bill: Bill; since: number }

export const READY: CounterState = { at: 'ready' }

/** Between two customers: no voucher is being dealt with, so a scan may begin the next one. */
export const isBetweenCustomers = ({ at }: CounterState): boolean => BETWEEN.includes(at)

const BETWEEN: readonly CounterState['at'][] = [
  'ready',
  'refused',
  'known',
  'not-checked',
  'not-accepted',
  'unread',
  'full',
  'bill',
]

/** The voucher that a step is about; `undefined` between two customers. */
export function serialInHand(state: CounterState): string | undefined {
  if (state.at === 'confirm') return state.row.serial
  if (state.at === 'offer') return state.offer.serial
  return state.at === 'pin' || state.at === 'verifying' ? state.serial : undefined
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
