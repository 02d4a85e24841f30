import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { count, instant } from '../wireFields.ts'

const base64 = v.pipe(v.string(), v.regex(/^[A-Za-z\d+/]*={0,2}$/, 'must be base64'))

/** What is used or revoked, of vouchers that are not expired (decision 0091): for tills that cannot ask. */
export const SpentVouchers = v.object({
  /** `null` before the first filter was made: nothing is known then. */
  made_at: v.nullable(instant),
  /** How many are in the filter. */
  vouchers: count,
  /** `readSpentFilter` in src/domain/spentFilter.ts reads it. Made once a day. */
  filter: base64,
  /** `shortHash` of each that was spent since the filter was made, three bytes each, the lowest first. */
  since: base64,
})
export type SpentVouchers = v.InferOutput<typeof SpentVouchers>

export const spentVouchers = endpoint({
  base: 'api',
  method: 'GET',
  path: '/voucher/spent',
  access: 'public',
  summary: 'A filter of used and revoked vouchers, and what was spent since it was made',
  answer: SpentVouchers,
  tagged: true,
})
