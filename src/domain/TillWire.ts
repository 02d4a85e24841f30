import type { VerifiedVoucher } from '../contract/redemptions/redeem.ts'
import type { SyncOutcome, SyncRow } from '../contract/redemptions/sync.ts'
import type { Outcome } from './Outcome.ts'

/**
 * The two calls of a till. `verify` uses the session of the logged-in user. `sync` uses only the secrets of the holds, so that a problem of a session
 * cannot keep redemptions on the device.
 */
export interface TillWire {
  verify: (request: VerifyRequest) => Promise<WireAnswer<VerifiedVoucher>>
  /**
   * Returns an outcome for each row, in their order. Only these outcomes are final: after any other answer, the till asks again. `isBacklog`: no
   * customer waits for it at the counter.
   */
  sync: (rows: readonly SyncRow[], isBacklog: boolean) => Promise<Synced>
}

export type Synced = Exclude<WireAnswer<readonly SyncOutcome[]>, { kind: 'refused' }>

interface VerifyRequest {
  /** The id of the hold that is asked for. */
  id: string
  serial: string
  secret_hash: string
  till: string
  pin?: string
}

/** The result of a call. A till does not wait for a login: it tries again. */
export type WireAnswer<T> = Exclude<Outcome<T>, { kind: 'logIn' }>
