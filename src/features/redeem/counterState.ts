import type { Receipt, VerifiedVoucher } from '../../contract/voucher.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'
import type { Refusal } from './redemption.ts'

/**
 * What the counter shows. The word "Redeemed" exists in one state only, and that state holds the server's receipt.
 * `unstored` is a device that cannot keep the redemption before sending it: then nothing is sent.
 */
export type CounterState =
  | { at: 'ready' }
  | { at: 'verifying'; serial: string }
  | { at: 'confirm'; voucher: VerifiedVoucher; problem?: 'unstored' }
  | { at: 'checking'; row: TillRow; since: number }
  | { at: 'redeemed'; receipt: Receipt }
  | { at: 'refused'; refusal: Refusal; serial: string; voucher?: VerifiedVoucher | undefined }
  | { at: 'not-known'; row: TillRow }

export const READY: CounterState = { at: 'ready' }
