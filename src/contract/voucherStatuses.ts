export const VOUCHER_STATUSES = ['Active', 'Used', 'Expired', 'Revoked'] as const
export type VoucherStatus = (typeof VOUCHER_STATUSES)[number]
/** A value of the filter `status` beside VOUCHER_STATUSES. */
export const ON_HOLD = 'On hold'
