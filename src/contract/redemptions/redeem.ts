import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { branchPin } from '../merchants/merchantFields.ts'
import { serial, VoucherFacts } from '../vouchers.ts'
import { instant } from '../wireFields.ts'
import { Hold, HoldRequest } from './hold.ts'

const voucherFields = { serial: v.string(), ...VoucherFacts.entries }

/** The facts that the cashier sees before the tap, and the requested hold. */
export const VerifiedVoucher = v.object({ ...voucherFields, hold: Hold })
export type VerifiedVoucher = v.InferOutput<typeof VerifiedVoucher>

/**
 * BRANCH_CLOSED: an adhoc branch before its first day or after its last. The three PIN_ codes: the organisation's verification method needs the PIN
 * of the branch (rule 6.2); without it nothing is told about the voucher.
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
  method: 'POST',
  path: '/voucher/verify',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'Check whether a voucher can be redeemed now and what it is worth, and get a hold on it',
  body: v.strictObject({ serial, pin: v.optional(branchPin), hold: HoldRequest }),
  answer: VerifiedVoucher,
  errors: [...REFUSALS, 'HOLD_LIMIT', 'TILL_UNKNOWN', 'TILL_NOT_ENROLLED', 'TILL_REVOKED'],
})

/** The receipt. `id` is the id of the hold, and the primary key of the ledger row. */
export const Receipt = v.object({
  id: guid,
  ...voucherFields,
  receipt_number: v.string(),
  /** The time when the till redeemed the voucher; if offline, within the ten minutes of its hold. */
  redeemed_at: instant,
  pos_username: v.string(),
  branch_name: v.string(),
  /** The till's name at that time. */
  till: v.string(),
  /** The time when the server recorded the redemption; LIMITS.voidMinutes run from here. */
  recorded_at: instant,
})
export type Receipt = v.InferOutput<typeof Receipt>
