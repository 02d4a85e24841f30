import type { Table } from 'dexie'
import * as v from 'valibot'
import { AcceptedRow, AllowanceGrant, NO_GRANT_REASONS, LOSS_REASONS } from '../../contract/redemptions/allowance.ts'
import { Hold } from '../../contract/redemptions/hold.ts'
import { Receipt } from '../../contract/redemptions/redeem.ts'
import { WatchedDatabase } from './databases.ts'
import { RETRY_STATE } from './retryState.ts'

/**
 * The states of one voucher on this device (rule 9.10).
 *
 * - `asking`: verify was sent, and there is no answer yet
 * - `held`: the server holds it for this till alone; the cashier decides
 * - `confirmed`: the cashier took it; it waits for the server to record it, however long that takes
 * - `cancelling`: it was given back; it waits for the server to release it
 * - `accepted`: the cashier accepted it without a check, at the shop's risk; it waits for the server, which may know of an
 *   earlier use
 * - `receipted`, `attention`, `lost`, `gone`, `voided`: settled. `attention` is a taken voucher that the server refused or left
 *   to a person to review; `lost` is an accepted voucher that was used or revoked before
 */
const TILL_STATES = [
  'asking',
  'held',
  'confirmed',
  'cancelling',
  'accepted',
  'receipted',
  'attention',
  'lost',
  'gone',
  'voided',
] as const

export type TillState = (typeof TILL_STATES)[number]

/** The server's refusal: its code, message and facts. */
export const Refusal = v.object({ code: v.string(), message: v.string(), data: v.record(v.string(), v.unknown()) })

export type Refusal = v.InferOutput<typeof Refusal>

/** A voucher on this device. Times are milliseconds of this device's clock, unless they come from the server. It has no customer data. */
export const TillRow = v.object({
  /** The id of the hold: the idempotency key of everything that is ever sent about this voucher. */
  id: v.string(),
  /**
   * Proves the right to report the voucher's outcome, even without a session (rule 9.3): the secret of its hold, or of the grant
   * under which it was accepted.
   */
  secret: v.string(),
  /** Guid and name of the POS user who asked; the redemption counts as theirs, even if another user is logged in when it uploads. */
  owner: v.string(),
  owner_name: v.string(),
  till: v.string(),
  serial: v.string(),
  /** The whole code of a signed voucher. */
  code: v.optional(v.string()),
  state: v.picklist(TILL_STATES),
  askedAt: v.number(),
  denomination_cents: v.optional(v.number()),
  expires_on: v.optional(v.string()),
  hold: v.optional(Hold),
  confirmedAt: v.optional(v.number()),
  /** For a voucher accepted without a check: sent to the server with it (decision 0092). */
  accepted: v.optional(v.pick(AcceptedRow, ['grant', 'tapped_at'])),
  /** True if the redemption was sent at least once: the server may have recorded it. */
  sent: v.boolean(),
  ...RETRY_STATE,
  /** The message of the last attempt that did not settle the row, for the cashier. */
  lastMessage: v.optional(v.string()),
  settledAt: v.optional(v.number()),
  /** When the cashier asked to void a redemption that the server has (rule 9.13). It stays until the server has answered. */
  voidingAt: v.optional(v.number()),
  receipt: v.optional(Receipt),
  /** The server's refusal; on a receipted row, its refusal to void it. */
  refused: v.optional(Refusal),
  /** Why the voucher is lost, and when it was used or revoked, by the server's time. */
  lost: v.optional(v.object({ reason: v.picklist(LOSS_REASONS), at: v.nullable(v.string()) })),
  /** True once a cashier has read the server's answer to the row. */
  seen: v.boolean(),
})

export type TillRow = v.InferOutput<typeof TillRow>

/** True if the row must still be sent to the server. */
export const isWaiting = (row: Pick<TillRow, 'state' | 'voidingAt'>): boolean =>
  isUnsent(row) || row.state === 'cancelling' || isVoiding(row)

/** True for a voucher that was taken and is recorded only on this device. */
export const isUnsent = (row: Pick<TillRow, 'state'>): boolean => row.state === 'confirmed' || isAtRisk(row)

/** True for a voucher that was taken and still counts, as far as this device knows. */
export const countsAsRedeemed = (row: Pick<TillRow, 'state'>): boolean => isUnsent(row) || row.state === 'receipted'

/** True for a voucher that was accepted without a check and is not uploaded: it is unknown if the shop is paid. */
export const isAtRisk = ({ state }: Pick<TillRow, 'state'>): boolean => state === 'accepted'

/**
 * True if a cashier must read the server's answer: a taken voucher was refused or lost, or a void ended after the cashier had
 * stopped waiting for it.
 */
export const needsAttention = ({ state, seen, refused, voidingAt }: TillRow): boolean =>
  !seen &&
  !isVoiding({ voidingAt }) &&
  (['attention', 'lost', 'voided'].includes(state) || (state === 'receipted' && !!refused))

/** True while the server has not answered a void. */
export const isVoiding = ({ voidingAt }: Pick<TillRow, 'voidingAt'>): boolean => voidingAt !== undefined

/** The sum in cents. */
export const sumCents = (rows: readonly Pick<TillRow, 'denomination_cents'>[]): number =>
  rows.reduce((sum, { denomination_cents = 0 }) => sum + denomination_cents, 0)

/** The amount that this device may accept without a check, and has accepted (decision 0092). There is one row. */
export const Allowance = v.object({
  id: v.literal('allowance'),
  /** The sum that this till has ever accepted, in cents. It never falls, and no grant changes it. */
  total_cents: v.number(),
  /** The latest time that this device's clock has shown since the grant came, in milliseconds. */
  clock: v.number(),
  /** The number of requests to the server: the answer to an earlier request changes nothing. */
  asks: v.number(),
  /** The last grant. `asked_at`: when this device asked for the grant, by its own clock. */
  granted: v.optional(v.object({ grant: AllowanceGrant, asked_at: v.number() })),
  /** True if the clock was turned back since the grant came: nothing is accepted until the next grant. */
  went_back: v.optional(v.boolean()),
  /** The reason why nothing was granted. */
  why: v.optional(v.picklist(NO_GRANT_REASONS)),
})
export type Allowance = v.InferOutput<typeof Allowance>

/** The device's own database: it never belongs to a user, and no logout deletes it (rule 9.5). */
export class TillDatabase extends WatchedDatabase {
  vouchers!: Table<TillRow, string>
  allowance!: Table<Allowance, string>

  constructor(name = 'till') {
    super(name, { chromeTransactionDurability: 'strict' })
    // The index of state and time tells Dexie that a hold changes no list of receipts. The index of `voidingAt` contains only
    // rows with a void request: they are found without reading weeks of receipts.
    this.version(1).stores({ vouchers: 'id, owner, serial, [state+askedAt], askedAt, voidingAt', allowance: 'id' })
  }
}
