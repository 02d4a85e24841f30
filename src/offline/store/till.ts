import type { Table } from 'dexie'
import * as v from 'valibot'
import { AcceptedRow, AllowanceGrant, GRANT_LACKS, LOSS_REASONS } from '../../contract/redemptions/allowance.ts'
import { Hold } from '../../contract/redemptions/hold.ts'
import { Receipt } from '../../contract/redemptions/redeem.ts'
import { WatchedDatabase } from './databases.ts'
import { REST } from './rest.ts'

/**
 * The life of one voucher on this device (rule 9.10).
 *
 * - `asking`: verify was sent, and nothing is known yet
 * - `held`: the server keeps it for this till alone; the cashier decides
 * - `confirmed`: the cashier took it; it waits for the server to write it down, however long that takes
 * - `cancelling`: not wanted after all; it waits for the server to let it go
 * - `accepted`: the cashier accepted it without a check, at the shop's risk; it waits for the server, which may know better
 * - `receipted`, `attention`, `lost`, `gone`, `voided`: settled. `attention` is money the server refused after the cashier took it, or left
 *   to a person; `lost` was accepted, and had been used or revoked
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

/** What the server said against it: its code, its words, its facts. */
export const Refusal = v.object({ code: v.string(), message: v.string(), data: v.record(v.string(), v.unknown()) })

export type Refusal = v.InferOutput<typeof Refusal>

/** Times are milliseconds of this device's clock, unless they come from the server. No customer data. */
export const TillRow = v.object({
  /** Of the hold: idempotency key of everything that is ever sent about this voucher. */
  id: v.string(),
  /** The right to say what became of it, which outlives every session (rule 9.3): of its hold, or of the grant it was accepted under. */
  secret: v.string(),
  /** Guid and name of the POS user who asked; the credit is theirs, whoever is logged in when it uploads. */
  owner: v.string(),
  owner_name: v.string(),
  till: v.string(),
  serial: v.string(),
  /** The whole code, where it is that of a signed voucher. */
  code: v.optional(v.string()),
  state: v.picklist(TILL_STATES),
  askedAt: v.number(),
  denomination_cents: v.optional(v.number()),
  expires_on: v.optional(v.string()),
  hold: v.optional(Hold),
  confirmedAt: v.optional(v.number()),
  /** Of what was accepted without a check: what the server is told with it (decision 0092). */
  accepted: v.optional(v.pick(AcceptedRow, ['grant', 'tapped_at'])),
  /** The redemption has left this device at least once: it may have been carried out. */
  sent: v.boolean(),
  ...REST,
  /** What was heard at the last attempt that did not settle it, for the people at the counter. */
  heard: v.optional(v.string()),
  settledAt: v.optional(v.number()),
  /** When its cashier wanted a redemption back that the server has (rule 9.13). It stands until the server has said what became of that. */
  voidingAt: v.optional(v.number()),
  receipt: v.optional(Receipt),
  /** What the server said against it; of a receipted one, against taking it back. */
  refused: v.optional(Refusal),
  /** When it had been used, or revoked, by the server's time. */
  lost: v.optional(v.object({ reason: v.picklist(LOSS_REASONS), at: v.nullable(v.string()) })),
  /** Somebody has read what the server said against it. */
  seen: v.boolean(),
})

export type TillRow = v.InferOutput<typeof TillRow>

/** Waits for the server to hear of it. */
export const isWaiting = (row: Pick<TillRow, 'state' | 'voidingAt'>): boolean =>
  isUnsent(row) || row.state === 'cancelling' || isVoiding(row)

/** Money that was taken and is not written down anywhere but here. */
export const isUnsent = (row: Pick<TillRow, 'state'>): boolean => row.state === 'confirmed' || isAtRisk(row)

/** What its cashier took and what stands, as far as this device knows. */
export const countsAsRedeemed = (row: Pick<TillRow, 'state'>): boolean => isUnsent(row) || row.state === 'receipted'

/** Accepted without a check: until the server has it, nobody knows whether the shop is paid. */
export const isAtRisk = ({ state }: Pick<TillRow, 'state'>): boolean => state === 'accepted'

/** Somebody has to read what the server said: it refused or lost what was taken, or a void ended after nobody waited for it any more. */
export const needsAttention = ({ state, seen, refused, voidingAt }: TillRow): boolean =>
  !seen &&
  !isVoiding({ voidingAt }) &&
  (['attention', 'lost', 'voided'].includes(state) || (state === 'receipted' && !!refused))

/** A void that the server has not answered. */
export const isVoiding = ({ voidingAt }: Pick<TillRow, 'voidingAt'>): boolean => voidingAt !== undefined

/** Cents. */
export const sumCents = (rows: readonly Pick<TillRow, 'denomination_cents'>[]): number =>
  rows.reduce((sum, { denomination_cents = 0 }) => sum + denomination_cents, 0)

/** What this device may accept without a check, and has (decision 0092). One row. */
export const Allowance = v.object({
  id: v.literal('allowance'),
  /** All that this till has ever accepted, in cents. It never falls, and no grant changes it. */
  total_cents: v.number(),
  /** The furthest that the clock of this device has been since the grant came, in milliseconds. */
  clock: v.number(),
  /** How often the server was asked: the answer to an earlier asking changes nothing. */
  asks: v.number(),
  /** `asked_at`: when this device asked for it, by its own clock. */
  granted: v.optional(v.object({ grant: AllowanceGrant, asked_at: v.number() })),
  /** The clock went back since: nothing is accepted until the next grant. */
  went_back: v.optional(v.boolean()),
  /** Why nothing was granted. */
  why: v.optional(v.picklist(GRANT_LACKS)),
})
export type Allowance = v.InferOutput<typeof Allowance>

/** The device's own database: never a user's, never deleted by a logout (rule 9.5). */
export class TillDatabase extends WatchedDatabase {
  vouchers!: Table<TillRow, string>
  allowance!: Table<Allowance, string>

  constructor(name = 'till') {
    super(name, { chromeTransactionDurability: 'strict' })
    // The index of state and time tells Dexie that a hold changes no list of receipts. The last index has rows with a wish alone: the
    // receipts of weeks are not read to find them.
    this.version(1).stores({ vouchers: 'id, owner, serial, [state+askedAt], askedAt, voidingAt', allowance: 'id' })
  }
}
