import type { VerifiedVoucher } from '../contract/redemptions/redeem.ts'
import type { SyncOutcome, SyncRow } from '../contract/redemptions/sync.ts'
import type { Outcome } from './Outcome.ts'

/**
 * The two calls of a till. `verify` goes with the session of whoever is logged in. `sync` goes with the secrets of the holds alone: nothing
 * that happens to a session may keep money on the device.
 */
export interface TillWire {
  verify: (request: VerifyRequest) => Promise<WireAnswer<VerifiedVoucher>>
  /**
   * What became of the holds: an outcome for each row, in their order. It has no last word but the outcomes: whatever else is answered, and
   * by whomever, is to ask again. `isBacklog`: nobody waits for it at the counter.
   */
  sync: (rows: readonly SyncRow[], isBacklog: boolean) => Promise<Synced>
}

export type Synced = Exclude<WireAnswer<readonly SyncOutcome[]>, { kind: 'refused' }>

interface VerifyRequest {
  /** Of the hold that is asked for. */
  id: string
  serial: string
  secret_hash: string
  till: string
  pin?: string
}

/** What came of a call. A till never waits for somebody to log in: it comes again. */
export type WireAnswer<T> = Exclude<Outcome<T>, { kind: 'logIn' }>
