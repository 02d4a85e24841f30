import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'

/** A key of the programme that signs vouchers (decision 0090). */
export const VoucherKey = v.object({
  /** Two bytes in each signed voucher. */
  id: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)),
  /** Ed25519: 32 bytes in base64url. */
  public_key: v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be a public key')),
})
export type VoucherKey = v.InferOutput<typeof VoucherKey>

export const voucherKeys = endpoint({
  method: 'GET',
  path: '/voucher/keys',
  access: 'public',
  summary: 'The public keys that verify signed vouchers, including rotated keys, without ended ones',
  answer: v.array(VoucherKey),
})

const base64 = v.pipe(v.string(), v.regex(/^[A-Za-z\d+/]*={0,2}$/, 'must be base64'))

/** The used and revoked vouchers that have not expired (decision 0090), for tills that cannot reach the server. */
export const SpentVouchers = v.object({ /** Read by `mayBeSpent` in src/domain/spentFilter.ts. */ filter: base64 })
export type SpentVouchers = v.InferOutput<typeof SpentVouchers>

export const spentVouchers = endpoint({
  method: 'GET',
  path: '/voucher/spent',
  access: 'public',
  summary: 'A filter of used and revoked vouchers',
  answer: SpentVouchers,
  tagged: true,
})
