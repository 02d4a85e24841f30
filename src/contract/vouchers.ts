import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, guid } from './fieldSchemas.ts'
import { VOUCHER_STATUSES } from './tables/lists.ts'
import { byId, listEndpoints } from './tables/resourceEndpoints.ts'
import { Option } from './tables/tableQuery.ts'
import { cents, instant, MESSAGES } from './wireFields.ts'

/** True if the last digit of an EAN-13 makes the weighted sum (1, 3, 1, 3 …) a multiple of ten. */
export function hasValidCheckDigit(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0)
  return sum % 10 === 0
}

/** Returns the last digit of an EAN-13, for its first twelve. */
export const checkDigit = (twelve: string): string =>
  [...'0123456789'].find((digit) => hasValidCheckDigit(twelve + digit))!

/** 13 digits, a valid EAN-13 with prefix 2 (rule 8.2). Blanks and hyphens are removed first. */
export const serial = v.pipe(
  v.string(MESSAGES.required),
  v.transform((value) => value.replaceAll(/[\s-]/g, '')),
  v.nonEmpty(MESSAGES.required),
  v.regex(/^\d*$/, MESSAGES.digits),
  v.length(13, MESSAGES.exactDigits(13)),
  v.startsWith('2', 'is not a voucher of this programme'),
  v.check(hasValidCheckDigit, 'has a wrong digit'),
)

const facts = { denomination_cents: cents, expires_on: day }
/** The `data` of VOUCHER_ALREADY_USED, VOUCHER_EXPIRED and VOUCHER_REVOKED. */
export const VoucherFacts = v.object(facts)
export type VoucherFacts = v.InferOutput<typeof VoucherFacts>

const voucherFields = { serial: v.string(), ...facts }

/** A till's hold. After `ends` another till may take the voucher; until one does, the hold stays. */
const TillHold = v.object({ till: v.string(), since: instant, ends: instant })

/**
 * A row of the voucher table. A voucher that my scope neither holds nor redeemed is shown only for its full serial, and without date and branch:
 * where it was used outside my scope is never told (rule 8.4).
 */
export const VoucherRow = v.object({
  guid,
  ...voucherFields,
  status: v.picklist(VOUCHER_STATUSES),
  in_scope: v.boolean(),
  date_used: v.nullable(instant),
  /** The branch where it was used, or is on hold. */
  branch_guid: v.nullable(guid),
  branch_name: v.nullable(v.string()),
  /** The hold of a till of my scope. `status` is the status without the hold. */
  held: v.optional(v.nullable(TillHold), null),
  /** The time when its redemption was voided. Date and branch are then those of this redemption. */
  voided_at: v.optional(v.nullable(instant), null),
  /** The login name of the person who voided it. */
  voided_by: v.optional(v.nullable(v.string()), null),
})
export type VoucherRow = v.InferOutput<typeof VoucherRow>

const view = { access: { feature: 'vouchers', action: 'view' } } as const

export const vouchers = listEndpoints({
  path: '/voucher',
  feature: 'vouchers',
  list: 'voucher',
  row: VoucherRow,
  rows: 'vouchers of my scope; a full serial finds any voucher of the programme',
  errors: ['TOO_MANY_ATTEMPTS'],
})

/** An event of a voucher in my scope; `history` begins with the oldest. A voided redemption has two events. */
export const VoucherEvent = v.object({
  event: v.picklist(['Redeemed', 'Voided']),
  at: instant,
  receipt_number: v.string(),
  branch_guid: guid,
  branch_name: v.string(),
  pos_username: v.string(),
  /** For a late upload: the user who settled it by hand, if the till did not, and the reviewer and time of the review. */
  late: v.nullable(
    v.object({
      settled: v.nullable(v.object({ by: v.string(), reason: v.string() })),
      reviewed: v.nullable(v.object({ at: instant, by: v.string() })),
    }),
  ),
})
export type VoucherEvent = v.InferOutput<typeof VoucherEvent>

export const Voucher = v.object({ ...VoucherRow.entries, history: v.array(VoucherEvent) })
export type Voucher = v.InferOutput<typeof Voucher>

export const readVoucher = endpoint({
  ...view,
  method: 'GET',
  path: '/voucher/get/:id',
  summary: 'One voucher that my scope holds or has redeemed, with what happened to it there',
  params: byId,
  answer: Voucher,
})

export const listVouchers = endpoint({
  ...view,
  method: 'GET',
  path: '/voucher/list',
  summary: 'Serials of my scope, newest first; at most 1,000',
  answer: v.array(Option),
})

/** Vouchers belong to the provider: these endpoints exist, but refuse every user of the portal (rule 8.1). */
const forbidden = { answer: v.never() } as const
export const createVoucher = endpoint({
  ...forbidden,
  method: 'POST',
  path: '/voucher',
  access: { feature: 'vouchers', action: 'create' },
  summary: 'Never allowed: the provider issues vouchers',
})
export const updateVoucher = endpoint({
  ...forbidden,
  method: 'PUT',
  path: '/voucher/:id',
  access: { feature: 'vouchers', action: 'create' },
  summary: 'Never allowed: the provider looks after vouchers',
  params: byId,
})
export const removeVoucher = endpoint({
  ...forbidden,
  method: 'DELETE',
  path: '/voucher/:id',
  access: { feature: 'vouchers', action: 'create' },
  summary: 'Never allowed: the provider revokes vouchers',
  params: byId,
})
