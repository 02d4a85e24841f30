import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { listEndpoints } from '../tables/resourceEndpoints.ts'
import { cents, instant } from '../wireFields.ts'
import { LOSS_REASONS, REVIEW_REASONS } from './allowance.ts'

/** A voucher that a till accepted without a check and the shop was not paid for. */
export const LossRow = v.object({
  /** The id of the voucher's `AcceptedRow`. */
  guid,
  serial: v.string(),
  cents,
  branch_name: v.string(),
  /** The till's name at that time. */
  till: v.string(),
  pos_username: v.nullable(v.string()),
  /** By the device's clock, limited to the period of the grant. */
  accepted_at: instant,
  arrived_at: instant,
  outcome: v.picklist(['lost', 'review']),
  reason: v.picklist([...LOSS_REASONS, ...REVIEW_REASONS]),
  /** The time when the voucher was used or revoked; null if neither happened, or the time is unknown. The place is never told (rule 8.4). */
  used_at: v.nullable(instant),
})
export type LossRow = v.InferOutput<typeof LossRow>

export const losses = listEndpoints({
  path: '/loss',
  feature: 'reports',
  list: 'loss',
  row: LossRow,
  rows: 'vouchers that tills of my scope accepted without a check and that could not be redeemed afterwards',
  exporting: 'download',
})
