import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { cents, instant } from '../wireFields.ts'
import { holdSecret } from './hold.ts'

/** A limit in cents, up to a number of dollars. */
const limitUpTo = (dollars: number) =>
  v.pipe(cents, v.minValue(100, 'must be $1 or more'), v.maxValue(dollars * 100, `must be $${dollars} or less`))

/**
 * The amounts in cents that the tills of one branch may accept without a check, at the shop's own risk, as set by the main account (rule 9.26). No
 * row, or `null`, allows nothing; every branch begins like this.
 */
export const AllowanceRules = v.strictObject({
  /** The limit for one voucher. */
  voucher_cents: limitUpTo(1_000),
  /** The limit for vouchers that one till has accepted and not uploaded. */
  till_cents: limitUpTo(10_000),
  /** The limit for all tills of the branch in one Singapore day. */
  day_cents: limitUpTo(100_000),
  /** The hours that a till may accept vouchers after its last contact with the server. */
  hours: v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 or more'), v.maxValue(24, 'must be 24 or less')),
})
export type AllowanceRules = v.InferOutput<typeof AllowanceRules>

export const SUGGESTED_RULES: AllowanceRules = { voucher_cents: 1_000, till_cents: 5_000, day_cents: 20_000, hours: 4 }

/**
 * The server's grant for one enrolled till. `total_cents` is a ceiling for the till's own count of all that it has ever accepted; the till may still
 * accept the difference. So an answer that is lost, or comes twice, never grants more.
 */
export const AllowanceGrant = v.object({
  id: guid,
  /** The right to upload vouchers accepted under this grant, like the secret of a hold. */
  secret: holdSecret,
  branch: guid,
  voucher_cents: cents,
  /** The limit at one time, for the text on the screen: "$38 of $50 left". */
  till_cents: cents,
  total_cents: cents,
  issued_at: instant,
  /** From this time on the till accepts nothing. */
  ends_at: instant,
})
export type AllowanceGrant = v.InferOutput<typeof AllowanceGrant>

/**
 * The reasons why a till gets no grant. `no key`: the programme signs no vouchers. `branch PIN`: the PIN cannot be checked offline (rule 6.2). `count
 * behind`: the till reports less than the server knows about, so its storage was restored or emptied, and it has to be enrolled again.
 */
export const NO_GRANT_REASONS = [
  'not enrolled',
  'revoked',
  'no rules',
  'not open',
  'branch PIN',
  'no key',
  'count behind',
] as const
export type NoGrantReason = (typeof NO_GRANT_REASONS)[number]

/**
 * One voucher that a till accepted without a check. Only the till with its grant's secret can send it. `id` is the idempotency key and, once
 * redeemed, the id of the ledger row.
 */
export const AcceptedRow = v.strictObject({
  became: v.literal('accepted'),
  id: guid,
  grant: guid,
  secret: holdSecret,
  /** The whole scanned code of the signed voucher. */
  code: v.pipe(v.string(), v.maxLength(200)),
  /** The POS user who accepted it. */
  pos_user: guid,
  /** The time of the tap by the server's clock, which the till knows from the grant's `issued_at`. */
  tapped_at: instant,
})
export type AcceptedRow = v.InferOutput<typeof AcceptedRow>

/**
 * The reasons for a review by a person: above what the till was granted; outside the grant's time or after the voucher's last day; from a revoked
 * till; or with a voucher, amount or POS user that this server does not know. Rows under review are not in the ledger.
 */
export const REVIEW_REASONS = ['over the limit', 'after the end', 'revoked till', 'not genuine'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** Returns a sentence for the user at the till. */
export const reviewMessage = (reason: ReviewReason): string =>
  ({
    'over the limit': 'It was above what this till may accept without a check.',
    'after the end': 'It was accepted outside the time of the limit, or after the voucher’s last day.',
    'revoked till': 'This till was revoked before the voucher was uploaded.',
    'not genuine': 'The server does not know this voucher, or the POS user who accepted it.',
  })[reason]

/** The reasons why the shop was not paid: the voucher was used elsewhere first, or the provider had revoked it. */
export const LOSS_REASONS = ['used elsewhere', 'revoked'] as const
export type LossReason = (typeof LOSS_REASONS)[number]
