import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { day, guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { VoucherFacts } from '../vouchers.ts'
import { cents, instant } from '../wireFields.ts'

/** The `data` of VOUCHER_HELD. `till` is the name of the till that has the hold if it is at this branch, otherwise `null` (rule 8.4). */
export const VoucherHeld = v.object({
  ...VoucherFacts.entries,
  till: v.nullable(v.string()),
  /** True if the till that asks has the hold itself: in another window, or from before its page was closed. */
  is_this_till: v.boolean(),
  since: instant,
  ends: instant,
})

export type VoucherHeld = v.InferOutput<typeof VoucherHeld>

/** Ends a hold that a merchant's scope sees (`held` of contract/vouchers.ts). `since` identifies the hold, so that a newer one is not ended. */
export const releaseHold = endpoint({
  method: 'POST',
  path: '/voucher/release',
  access: { feature: 'vouchers', action: 'edit' },
  summary: 'End the hold of a till of my scope; if the till redeemed the voucher offline, its upload is refused',
  body: v.strictObject({ guid, since: instant }),
  answer: v.object({ released: v.literal(true) }),
  errors: ['INVALID_STATE'],
})

/** For a till that cannot report, because it is lost or broken. The same call by the same user again changes nothing. */
export const settleHold = endpoint({
  method: 'POST',
  path: '/hold/settle',
  access: { feature: 'vouchers', action: 'edit' },
  summary:
    'Record the redemption of a voucher that a till of my scope holds: within 24 hours, as a late upload, with a reason',
  body: v.strictObject({ id: guid, reason: text(LIMITS.reasonLength) }),
  answer: v.object({ settled: v.literal(true) }),
  errors: ['INVALID_STATE'],
})

export const DayRow = v.object({
  id: guid,
  serial: v.string(),
  denomination_cents: cents,
  receipt_number: v.string(),
  redeemed_at: instant,
  recorded_at: instant,
  /** The till's name at that time; `null` without one. */
  till: v.nullable(v.string()),
  voided_at: v.nullable(instant),
})

export type DayRow = v.InferOutput<typeof DayRow>

/** A POS user's redemptions of a Singapore day. */
export const MyDay = v.object({
  day,
  /** Newest first, voided ones included, at most LIMITS.listRows. */
  rows: v.array(DayRow),
})

export type MyDay = v.InferOutput<typeof MyDay>

export const myDay = endpoint({
  access: { feature: 'counter', action: 'redeem' },
  method: 'GET',
  path: '/voucher/my_day',
  summary: 'What I redeemed on a Singapore day, on every till',
  query: v.strictObject({ day }),
  answer: MyDay,
})

/** A device at the counter: its random id, made on the device, and its name at one branch, "Till 2". */
export const Till = v.object({ guid, name: v.string(), branch_guid: guid })

export type Till = v.InferOutput<typeof Till>

/** Names are for people, and two tills may share one: a device that lost its storage gets its old name again. */
export const nameTill = endpoint({
  method: 'PUT',
  path: '/till/:id',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'Name or rename this device at my branch; holds and receipts carry the name',
  params: byId,
  body: v.strictObject({ name: text(LIMITS.tillNameLength) }),
  answer: Till,
  errors: ['TILL_NOT_ENROLLED', 'TILL_REVOKED'],
})

/** Practice redeems nothing (rule 9.33); this call only completes the first steps of the dashboard. */
export const notePractice = endpoint({
  method: 'PUT',
  path: '/practice',
  access: 'session',
  summary: 'Note that my organisation has redeemed a practice voucher',
  answer: v.object({ noted: v.literal(true) }),
})
