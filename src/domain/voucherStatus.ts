import type { VoucherStatus } from '../contract/voucherStatuses.ts'

/** A voucher is Active through the whole Singapore day it expires on; nothing is written when that day passes. */
export function voucherStatus(stored: 'Active' | 'Used' | 'Revoked', expiresOn: string, today: string): VoucherStatus {
  return stored === 'Active' && expiresOn < today ? 'Expired' : stored
}
