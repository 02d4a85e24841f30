import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { branchPin } from '../merchants/merchantFields.ts'
import { serial, VoucherFacts } from '../vouchers.ts'
import { instant, listOf } from '../wireFields.ts'
import { Hold, HoldRequest, holdSecret } from './hold.ts'
import { takingNumber } from './takings.ts'

const described = { serial: v.string(), ...VoucherFacts.entries }

/** What the cashier is told before the tap, and the hold. */
export const VerifiedVoucher = v.object({ ...described, hold: Hold })
export type VerifiedVoucher = v.InferOutput<typeof VerifiedVoucher>

/**
 * BRANCH_CLOSED: an adhoc branch, before its first day or after its last. The three PIN_ codes: the organisation's verification
 * method asks for the PIN of the branch (rule 6.2), before anything is told about the voucher.
 */
const REFUSALS = [
  'VOUCHER_UNKNOWN',
  'VOUCHER_ALREADY_USED',
  'VOUCHER_EXPIRED',
  'VOUCHER_REVOKED',
  'BRANCH_CLOSED',
  'VOUCHER_HELD',
  'HOLD_ENDED',
  'IDEMPOTENCY_KEY_REUSED',
  'PIN_REQUIRED',
  'PIN_WRONG',
  'PIN_NOT_SET',
  'VOUCHER_BUSY',
  'TOO_MANY_ATTEMPTS',
] as const

export const verifyVoucher = endpoint({
  base: 'api',
  method: 'POST',
  path: '/voucher/verify',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'Whether this voucher can be redeemed now, what it is worth, and a hold on it',
  body: v.strictObject({ serial, pin: v.optional(branchPin), hold: HoldRequest }),
  answer: VerifiedVoucher,
  errors: [...REFUSALS, 'HOLD_LIMIT', 'TILL_UNKNOWN', 'TILL_NOT_ENROLLED', 'TILL_REVOKED'],
})

/** A clock may be wrong by years; it must still be an instant. */
const deviceTime = v.pipe(
  instant,
  v.check((at) => !Number.isNaN(Date.parse(at)), 'must be a date and time'),
)

/** The receipt. `id` is the idempotency key the till chose, and the primary key of the ledger row. */
export const Receipt = v.object({
  id: guid,
  ...described,
  receipt_number: v.string(),
  /** When the till took it; of one that was taken offline, within the ten minutes of its hold. */
  redeemed_at: instant,
  pos_username: v.string(),
  branch_name: v.string(),
  /** The till's name at that time. */
  till: v.optional(v.string()),
  /** When the server took it down: LIMITS.voidMinutes run from here. */
  recorded_at: v.optional(instant),
  /** The number of the taking that the server has written down with it, or had before (decision 0083). */
  taking: v.optional(takingNumber),
})
export type Receipt = v.InferOutput<typeof Receipt>

export const redeemVoucher = endpoint({
  base: 'api',
  method: 'POST',
  path: '/voucher/redeem',
  access: { feature: 'counter', action: 'redeem' },
  alsoBy: 'hold',
  summary: 'Redeem one voucher, at most once; the same Idempotency-Key gives the same answer',
  /** The id of the hold, and TAKINGS_HEADER. */
  headers: ['idempotency-key', 'takings'],
  /**
   * A session alone redeems what nobody holds; with the secret of the hold, or by it, what is
   * held. `redeemed_at` is the device's time of the cashier's tap; `pin` is for what was not verified with it.
   */
  body: v.strictObject({
    serial,
    secret: v.optional(holdSecret),
    redeemed_at: v.optional(deviceTime),
    pin: v.optional(branchPin),
  }),
  answer: Receipt,
  errors: [...REFUSALS, 'IDEMPOTENCY_KEY_REQUIRED', 'HOLD_UNKNOWN', 'TILL_NOT_ENROLLED'],
})

/** A redemption that waited on a till. `redeemed_at` is the device's time of the cashier's tap. */
export const UploadRow = v.strictObject({ id: guid, serial, secret: holdSecret, redeemed_at: v.optional(deviceTime) })

/** What became of one row of an upload; `refused` is what `redeemVoucher` alone would have answered. */
export const UploadOutcome = v.variant('outcome', [
  v.object({ outcome: v.literal('redeemed'), id: guid, receipt: Receipt }),
  /** It was redeemed before: the same receipt again. */
  v.object({ outcome: v.literal('replayed'), id: guid, receipt: Receipt }),
  v.object({
    outcome: v.literal('refused'),
    id: guid,
    status: v.number(),
    error: v.string(),
    message: v.string(),
    data: v.record(v.string(), v.unknown()),
    retry_after_seconds: v.optional(v.number()),
  }),
])
export type UploadOutcome = v.InferOutput<typeof UploadOutcome>

/**
 * What waits on a till, in one request: by it the server knows that nobody stands at the counter for these, and lets redemptions of
 * now go first (decision 0073). Each row is known by the secret of its hold, has a transaction and an outcome of its own, and may be
 * sent any number of times.
 */
export const uploadRedemptions = endpoint({
  base: 'api',
  method: 'POST',
  path: '/voucher/upload',
  access: 'public',
  alsoBy: 'hold',
  summary:
    'Redeem what a till took offline, each voucher at most once and by the secret of its hold; again is the same answer',
  size: 'upload',
  lane: 'uploads',
  headers: ['takings'],
  body: v.strictObject({
    redemptions: v.pipe(
      listOf(UploadRow, LIMITS.uploadRows, `must have at most ${LIMITS.uploadRows} rows`),
      v.minLength(1, 'must have a row'),
    ),
  }),
  /** In the order of the rows. */
  answer: v.object({ outcomes: v.array(UploadOutcome) }),
})

export const readRedemption = endpoint({
  base: 'api',
  method: 'GET',
  path: '/voucher/redemption/:id',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'The receipt of a redemption of my branch whose answer was lost',
  params: v.strictObject({ id: guid }),
  answer: Receipt,
  errors: ['REDEMPTION_UNKNOWN'],
})
