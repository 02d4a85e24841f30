import type { Table } from 'dexie'
import * as v from 'valibot'
import { AcceptedOutcome, AcceptedVoucher, AllowanceGrant } from '../../contract/redemptions/allowance.ts'
import { Hold } from '../../contract/redemptions/hold.ts'
import { Receipt } from '../../contract/redemptions/redeem.ts'
import { WatchedDatabase } from './databases.ts'

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

const AcceptedHere = v.object({
  ...v.pick(AcceptedVoucher, ['grant', 'secret', 'total_cents', 'accepted_at']).entries,
  branch: v.string(),
})

const [, Lost] = AcceptedOutcome.options

/** Times are milliseconds of this device's clock, unless they come from the server. No customer data. */
export const TillRow = v.object({
  /** Of the hold: idempotency key of everything that is ever sent about this voucher. */
  id: v.string(),
  /** The right to redeem, cancel and ask, which outlives every session (rule 9.3). */
  secret: v.string(),
  /** Guid and name of the POS user who asked; the credit is theirs, whoever is signed in when it uploads. */
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
  /** Of what was accepted without a check: what the server is told with it, as this device signed it then (decision 0093). */
  accepted: v.optional(AcceptedHere),
  /** The redemption has left this device at least once: it may have been carried out. */
  sent: v.boolean(),
  attempts: v.number(),
  nextAt: v.number(),
  /** When `nextAt` was set: a clock that is behind it was turned back since, and the row would wait for as long. */
  putOffAt: v.optional(v.number()),
  /** It rests because nothing got through, not because the server asked for time: then whatever is due lets it try again. */
  restsForLine: v.optional(v.boolean()),
  /** The server asked for time at the last attempt, and where: nothing of this device goes there before `nextAt`. */
  busyAt: v.optional(v.picklist(['counter', 'uploads'])),
  /** What was heard at the last attempt that did not settle it, for the people at the counter. */
  heard: v.optional(v.string()),
  settledAt: v.optional(v.number()),
  /** A void has left this device, and its answer has not come: it may have been carried out. */
  voidSentAt: v.optional(v.number()),
  receipt: v.optional(Receipt),
  refused: v.optional(Refusal),
  lost: v.optional(v.pick(Lost, ['reason', 'at'])),
  /** Somebody has read what the server said against it. */
  seen: v.boolean(),
})

export type TillRow = v.InferOutput<typeof TillRow>

/** Waits for the server to hear of it. */
export const isWaiting = (row: Pick<TillRow, 'state'>): boolean => isUnsent(row) || row.state === 'cancelling'

/** Money that was taken and is not written down anywhere but here. */
export const isUnsent = (row: Pick<TillRow, 'state'>): boolean => row.state === 'confirmed' || isAtRisk(row)

/** What its cashier took and what stands, as far as this device knows. */
export const countsAsRedeemed = (row: Pick<TillRow, 'state'>): boolean => isUnsent(row) || row.state === 'receipted'

/** Accepted without a check: until the server has it, nobody knows whether the shop is paid. */
export const isAtRisk = ({ state }: Pick<TillRow, 'state'>): boolean => state === 'accepted'

export const needsAttention = ({ state, seen }: Pick<TillRow, 'state' | 'seen'>): boolean =>
  (state === 'attention' || state === 'lost') && !seen

/** Cents. */
export const sumCents = (rows: readonly Pick<TillRow, 'denomination_cents'>[]): number =>
  rows.reduce((sum, { denomination_cents = 0 }) => sum + denomination_cents, 0)

/** What this device may accept without a check, and has (decision 0093). One row. */
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
})
export type Allowance = v.InferOutput<typeof Allowance>

/** The device's own database: never a user's, never deleted by a sign-out (rule 9.5). */
export class TillDatabase extends WatchedDatabase {
  vouchers!: Table<TillRow, string>
  allowance!: Table<Allowance, string>

  constructor(name = 'till') {
    super(name, { chromeTransactionDurability: 'strict' })
    this.version(1).stores({ vouchers: 'id, owner, serial, state, askedAt', allowance: 'id' })
  }
}
