import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { cents, instant } from '../wireFields.ts'
import { holdSecret } from './hold.ts'

/** Whole dollars, as cents. */
const limit = (dollars: number) =>
  v.pipe(cents, v.minValue(100, 'must be $1 or more'), v.maxValue(dollars * 100, `must be $${dollars} or less`))

/**
 * What the main account lets the tills of one branch accept without a check, at the shop's own risk (rule 9.26). Amounts in cents. No
 * row, or `null`, is none: that is how every branch begins.
 */
export const AllowanceRules = v.strictObject({
  /** Most for one voucher. */
  voucher_cents: limit(1_000),
  /** Most that one till has accepted and not uploaded. */
  till_cents: limit(10_000),
  /** Most of all tills of the branch in one Singapore day. */
  day_cents: limit(100_000),
  /** How long a till may accept after it last heard from the server. */
  hours: v.pipe(v.number(), v.integer(), v.minValue(1, 'must be 1 or more'), v.maxValue(24, 'must be 24 or less')),
})
export type AllowanceRules = v.InferOutput<typeof AllowanceRules>

export const SUGGESTED_RULES: AllowanceRules = { voucher_cents: 1_000, till_cents: 5_000, day_cents: 20_000, hours: 4 }

/**
 * What the server grants one enrolled till. `total_cents` is a ceiling for all that the till has ever accepted, as it counts itself: what
 * it may still accept is the difference. So an answer that is lost, or one that comes twice, never grants more.
 */
export const AllowanceGrant = v.object({
  id: guid,
  /** The right to say what was accepted under it, as a hold has one. */
  secret: holdSecret,
  branch: guid,
  voucher_cents: cents,
  /** Most at one time, for the words on the screen: "$38 of $50 left". */
  till_cents: cents,
  total_cents: cents,
  issued_at: instant,
  /** Nothing is accepted from then on. */
  ends_at: instant,
})
export type AllowanceGrant = v.InferOutput<typeof AllowanceGrant>

/**
 * Why a till gets no grant. `no key`: the programme signs no vouchers. `branch PIN`: nobody can check it offline (rule 6.2). `count behind`:
 * it says that it accepted less than the server knows of, so its storage was restored or emptied; only another enrolment ends that.
 */
export const GRANT_LACKS = [
  'not enrolled',
  'revoked',
  'no rules',
  'not open',
  'branch PIN',
  'no key',
  'count behind',
] as const
export type GrantLack = (typeof GRANT_LACKS)[number]

/**
 * One voucher that a till accepted without a check, by the secret of its grant: nobody else can write one. `id` is the idempotency key and, if
 * it is redeemed, the id of the ledger row.
 */
export const AcceptedRow = v.strictObject({
  became: v.literal('accepted'),
  id: guid,
  grant: guid,
  secret: holdSecret,
  /** The whole code of the signed voucher, as it was scanned. */
  code: v.pipe(v.string(), v.maxLength(200)),
  /** The POS user who accepted it. */
  pos_user: guid,
  /** When, by the server's time as its grant brought it. */
  tapped_at: instant,
})
export type AcceptedRow = v.InferOutput<typeof AcceptedRow>

/**
 * Why a row is left to a person: above what its till was granted, by its clock after the grant's end or before its beginning, from a till that
 * was revoked, or of a voucher or by a POS user that this server does not know. Nothing of it is in the ledger.
 */
export const REVIEW_REASONS = ['over the limit', 'after the end', 'revoked till', 'not genuine'] as const
export type ReviewReason = (typeof REVIEW_REASONS)[number]

/** In a sentence, to whoever stands at the till. */
export const reviewMessage = (reason: ReviewReason): string =>
  ({
    'over the limit': 'It was above what this till may accept without a check.',
    'after the end': 'It was accepted when this till could accept nothing without a check.',
    'revoked till': 'This till was revoked before it was uploaded.',
    'not genuine': 'The server does not know such a voucher of this branch.',
  })[reason]

/** Why the shop was not paid: somebody else was first, or the provider had revoked the voucher. */
export const LOSS_REASONS = ['used elsewhere', 'revoked'] as const
export type LossReason = (typeof LOSS_REASONS)[number]
