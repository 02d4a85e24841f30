import type { AcceptedOutcome, AcceptedUpload } from '../contract/redemptions/allowance.ts'
import type { HoldOutcome } from '../contract/redemptions/counter.ts'
import type { EndedHold } from '../contract/redemptions/hold.ts'
import type { Receipt, VerifiedVoucher } from '../contract/redemptions/redeem.ts'
import type { Outcome } from './Outcome.ts'

/**
 * The calls a till makes. `verify` and `void` go with the session of whoever is logged in. The others go with the secret of the
 * hold alone: nothing that happens to a session may keep money on the device.
 */
export interface TillWire {
  verify: (request: VerifyRequest) => Promise<WireAnswer<VerifiedVoucher>>
  redeem: (voucher: HeldVoucher) => Promise<WireAnswer<Receipt>>
  /**
   * What waits, together: an outcome for each that the server answered, by its id. `refused`: not together, whatever the reason; each
   * is then asked for alone.
   */
  upload: (vouchers: readonly HeldVoucher[]) => Promise<WireAnswer<ReadonlyMap<string, WireAnswer<Receipt>>>>
  /**
   * What was accepted without a check, together: an outcome for each that the server answered, by its id. The secrets of its grants are
   * the right to it.
   */
  accept: (upload: AcceptedUpload) => Promise<WireAnswer<ReadonlyMap<string, WireAnswer<FinalOutcome>>>>
  cancel: (voucher: HeldVoucher) => Promise<WireAnswer<EndedHold>>
  ask: (voucher: HeldVoucher) => Promise<WireAnswer<HoldOutcome>>
  void: (voucher: HeldVoucher) => Promise<WireAnswer<{ receipt: Receipt; voided_at: string }>>
}

export interface VerifyRequest {
  /** Of the hold that is asked for. */
  id: string
  serial: string
  secret_hash: string
  till: string
  pin?: string
}

/** The part of a stored voucher that its calls need. */
export interface HeldVoucher {
  id: string
  secret: string
  serial: string
  confirmedAt?: number | undefined
}

/** What became of a voucher that was accepted without a check. Another till's hold is no end of it: it is asked about later. */
export type FinalOutcome = Exclude<AcceptedOutcome, { outcome: 'waiting' | 'refused' }>

/** What came of a call. A till never waits for somebody to log in: it comes again. */
export type WireAnswer<T> = Exclude<Outcome<T>, { kind: 'signIn' }>
