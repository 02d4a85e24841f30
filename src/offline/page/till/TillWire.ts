import type { HoldOutcome } from '../../../contract/redemptions/counter.ts'
import type { EndedHold } from '../../../contract/redemptions/hold.ts'
import type { Receipt, VerifiedVoucher } from '../../../contract/vouchers.ts'
import type { Refusal, TillRow } from '../../store/till.ts'

/** What came back, in words the till understands. `later`: no answer of ours, or one that says to come again. */
export type WireAnswer<T> =
  | { kind: 'done'; answer: T }
  | { kind: 'refused'; refused: Refusal }
  | { kind: 'later'; line: boolean; retryAfterMs?: number }

export interface VerifyRequest {
  id: string
  serial: string
  secret_hash: string
  till: string
  pin?: string
}

/**
 * The calls a till makes. `verify` and `void` go with the session of whoever is signed in; the others with the secret of the
 * hold alone, so that nothing that happens to a session keeps money on the device.
 */
export interface TillWire {
  verify: (asking: VerifyRequest) => Promise<WireAnswer<VerifiedVoucher>>
  redeem: (row: TillRow) => Promise<WireAnswer<Receipt>>
  cancel: (row: TillRow) => Promise<WireAnswer<EndedHold>>
  ask: (row: TillRow) => Promise<WireAnswer<HoldOutcome>>
  void: (row: TillRow) => Promise<WireAnswer<{ receipt: Receipt; voided_at: string }>>
}
