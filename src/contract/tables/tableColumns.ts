// What tables can be sorted and filtered by. Apart from the schemas: routes read it from the URL before any screen is loaded.

/** Rows on a page, to choose from. */
export const PAGE_SIZES = [10, 25, 50, 100] as const

/** Characters that a search may have. */
export const SEARCH_LENGTH = 100

export const VOUCHER_COLUMNS = ['guid', 'serial', 'denomination', 'date_used', 'expires_on'] as const

export type VoucherColumn = (typeof VOUCHER_COLUMNS)[number]

/**
 * Values of one key are alternatives, keys narrow each other. The days are Singapore's, both included. `late`: of LATE_UPLOADS, or the
 * guid of a till.
 */
export const VOUCHER_FILTERS = ['denomination', 'status', 'used_from', 'used_to', 'branch', 'late'] as const

/** Vouchers of late uploads: all, or those that nobody has reviewed. */
export const LATE_UPLOADS = ['all', 'to review'] as const

export const MASTER_COLUMNS = ['guid', 'name', 'email', 'status', 'last_sign_in_at', 'created_at'] as const

export const MASTER_FILTERS = ['status'] as const

export const BRANCH_COLUMNS = ['guid', 'name', 'code', 'status', 'from_day', 'to_day', 'last_sign_in_at'] as const

/** `master`: the guid of one, or `none`. */
export const BRANCH_FILTERS = ['status', 'account_status', 'kind', 'master'] as const

export const POS_COLUMNS = ['guid', 'username', 'last_login', 'status'] as const

/** `use`: `unused`. */
export const POS_FILTERS = ['status', 'use', 'branch'] as const

/** A POS user that nobody has logged in as or redeemed with on this Singapore day or the days before it is unused. */
export const UNUSED_DAYS = 14

export const RESOURCE_COLUMNS = ['guid', 'title', 'updated_at', 'size'] as const

/** `attention`: which till needs somebody first, the one that was silent longest before the others. */
export const DEVICE_COLUMNS = ['attention', 'name', 'branch', 'heard_at', 'waiting'] as const

/** `state`: of DEVICE_STATES; `branch`: a guid. */
export const DEVICE_FILTERS = ['state', 'branch'] as const

export const DEVICE_STATES = [
  'waiting',
  'not settled',
  'refused',
  'to review',
  'update waits',
  'not reported',
  'not enrolled',
  'revoked',
] as const

export const LOSS_COLUMNS = ['accepted_at', 'arrived_at', 'cents', 'branch', 'till'] as const

/** `state`: of LOSS_STATES; `branch`: a guid. The days are Singapore's, both included, of the acceptance. */
export const LOSS_FILTERS = ['state', 'branch', 'from', 'to'] as const

/** What was accepted without a check and did not become a redemption. */
export const LOSS_STATES = ['lost', 'to review', 'reviewed'] as const

export const ACTIVITY_COLUMNS = ['at'] as const

/**
 * `kind`: of ACTIVITY_KINDS; `action`: of ACTIVITY_ACTIONS; `subject`: `branch:` and a guid; `actor` and `branch`: a guid. The days
 * are Singapore's, both included.
 */
export const ACTIVITY_FILTERS = ['from', 'to', 'kind', 'action', 'actor', 'branch', 'subject'] as const

export const VOUCHER_STATUSES = ['Active', 'Used', 'Expired', 'Revoked'] as const

export type VoucherStatus = (typeof VOUCHER_STATUSES)[number]

/** A value of the filter `status` beside VOUCHER_STATUSES. */
export const ON_HOLD = 'On hold'

/** The same. It stands alone: its rows are redemptions that were voided, and may be about one voucher several times. */
export const VOIDED = 'Voided'

/** A temporary branch has a first and a last day, Singapore's, both included. */
export const BRANCH_KINDS = ['permanent', 'adhoc'] as const

export type BranchKind = (typeof BRANCH_KINDS)[number]
