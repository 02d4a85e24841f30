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
 * - `held`: the server holds it for this till, and the cashier decides
 * - `confirmed`: the cashier took it, and the server must still record it
 * - `cancelling`: it was given back, and the server must still end its hold
 * - `accepted`: the cashier accepted it without a check, at the shop's risk; the server, which must still record it, may know of
 *   an earlier use
 * - `receipted`, `attention`, `lost`, `gone`, `voided`: settled. `attention` is a taken voucher that the server refused, or that a
 *   person must review. `lost` is an accepted voucher that was used or revoked before
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

/** A voucher on this device, without data of the customer. Numbers ending in `At` are milliseconds of this device's clock. */
export const TillRow = v.object({
  /** The id of the hold. It is the idempotency key of every message about this voucher. */
  id: v.string(),
  /**
   * The secret of the hold, or of the grant under which the voucher was accepted. It gives the right to report the outcome, even
   * without a session (rule 9.3).
   */
  secret: v.string(),
  /** Guid and name of the POS user who asked. The redemption is theirs, even if another user is logged in at its upload. */
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
  /** The grant and the time of an acceptance without a check, which are sent with it (decision 0092). */
  accepted: v.optional(v.pick(AcceptedRow, ['grant', 'tapped_at'])),
  /** True if the redemption was sent at least once, so that the server may have recorded it. */
  sent: v.boolean(),
  ...RETRY_STATE,
  /** The message to the cashier from the last attempt, if that did not settle the row. */
  lastMessage: v.optional(v.string()),
  settledAt: v.optional(v.number()),
  /** When the cashier asked to void a redemption that the server has (rule 9.13). It stays until the server has answered. */
  voidingAt: v.optional(v.number()),
  receipt: v.optional(Receipt),
  /** The server's refusal. On a receipted row, the refusal to void it. */
  refused: v.optional(Refusal),
  /** Why the voucher is lost, and the server's time of its earlier use or revocation. */
  lost: v.optional(v.object({ reason: v.picklist(LOSS_REASONS), at: v.nullable(v.string()) })),
  /** True when a cashier has read the server's answer to the row. */
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

/** True for a voucher that was accepted without a check and is not uploaded yet. Nobody knows whether the shop is paid. */
export const isAtRisk = ({ state }: Pick<TillRow, 'state'>): boolean => state === 'accepted'

/**
 * True if a cashier must read the server's answer: a taken voucher was refused or lost, or a void ended when no cashier waited for
 * it any more.
 */
export const needsAttention = ({ state, seen, refused, voidingAt }: TillRow): boolean =>
  !seen &&
  !isVoiding({ voidingAt }) &&
  (['attention', 'lost', 'voided'].includes(state) || (state === 'receipted' && !!refused))

/** True while the server has not answered a void. */
export const isVoiding = ({ voidingAt }: Pick<TillRow, 'voidingAt'>): boolean => voidingAt !== undefined

/** Returns the sum in cents. */
export const sumCents = (rows: readonly Pick<TillRow, 'denomination_cents'>[]): number =>
  rows.reduce((sum, { denomination_cents = 0 }) => sum + denomination_cents, 0)

/** The amount that this device may accept without a check, and the amount accepted so far (decision 0092). There is one row. */
export const Allowance = v.object({
  id: v.literal('allowance'),
  /** The sum that this till has ever accepted, in cents. It never falls, and no grant changes it. */
  total_cents: v.number(),
  /** The latest time that this device's clock showed since the grant came, in milliseconds. */
  clock: v.number(),
  /** The number of requests to the server. Only the answer to the last request counts. */
  asks: v.number(),
  /** The last grant. `asked_at`: when this device asked for the grant, by its own clock. */
  granted: v.optional(v.object({ grant: AllowanceGrant, asked_at: v.number() })),
  /** True if the clock was turned back since the grant came. Then nothing is accepted until the next grant. */
  went_back: v.optional(v.boolean()),
  /** The reason why nothing was granted. */
  why: v.optional(v.picklist(NO_GRANT_REASONS)),
})
export type Allowance = v.InferOutput<typeof Allowance>

/** The vouchers and the allowance of this device. They belong to no user, and no logout deletes them (rule 9.5). */
export class TillDatabase extends WatchedDatabase {
  vouchers!: Table<TillRow, string>
  allowance!: Table<Allowance, string>

  constructor(name = 'till') {
    super(name, { chromeTransactionDurability: 'strict' })
    // With the index of state and time, Dexie knows that a hold changes no list of receipts. The index of `voidingAt` has only the
    // rows with a void request, so they are found without weeks of receipts.
    this.version(1).stores({ vouchers: 'id, owner, serial, [state+askedAt], askedAt, voidingAt', allowance: 'id' })
  }
}
