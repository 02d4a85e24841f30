import type { Refusal, TillRow } from '../../offline/store/till.ts'
import type { CounterLimit } from '../redeem/whyFull.ts'

/**
 * What the counter shows. `taken` is a voucher on this device's disk: what the screen says of it, "Redeemed" above all, is read
 * from the disk, and so it never runs ahead of it (DESIGN §7).
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
