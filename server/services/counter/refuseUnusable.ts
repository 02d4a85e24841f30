import type { VoucherHeld } from '../../../src/contract/redemptions/counter.ts'
import { voucherStatus } from '../../../src/domain/voucherStatus.ts'
import type { StoredVoucherStatus } from '../../db/schema.ts'
import { Refusal } from '../Refusal.ts'

interface Seen {
  status: StoredVoucherStatus
  denominationCents: number
  expiresOn: string
  /** Of who holds it, as long as nobody has used it. */
  branchId: string | null
  holdTillName: string | null
  holdSince: Date | null
  holdEndsAt: Date | null
}

interface Moment {
  now: Date
  /** Singapore's. */
  today: string
  /** The branch that asks: it alone may know which till holds. */
  branchId: string | undefined
}

/**
 * Throws Refusal VOUCHER_ALREADY_USED, VOUCHER_EXPIRED, VOUCHER_REVOKED or VOUCHER_HELD for a voucher that a till which holds
 * nothing cannot redeem now. A hold past its end stands in nobody's way.
 */
export function refuseUnredeemable(voucher: Seen, { now, today, branchId }: Moment): void {
  const data = { denomination_cents: voucher.denominationCents, expires_on: voucher.expiresOn }
  switch (voucherStatus(voucher.status, voucher.expiresOn, today)) {
    case 'Used':
      throw new Refusal('VOUCHER_ALREADY_USED', { data })
    case 'Expired':
      throw new Refusal('VOUCHER_EXPIRED', { data })
    case 'Revoked':
      throw new Refusal('VOUCHER_REVOKED', { data })
    case 'Active': {
      const { holdSince: since, holdEndsAt: ends } = voucher
      if (since === null || ends === null || ends <= now) return
      const till = voucher.branchId === branchId ? voucher.holdTillName : null
      throw new Refusal('VOUCHER_HELD', {
        data: { ...data, till, since: since.toISOString(), ends: ends.toISOString() } satisfies VoucherHeld,
      })
    }
  }
}
