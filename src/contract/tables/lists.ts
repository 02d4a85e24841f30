import * as v from 'valibot'
import { ACCOUNT_STATUSES } from '../accounts/permissions.ts'
import { day, guid } from '../fieldSchemas.ts'

// The columns and filters of every list, for the table query, address, built-in views and SQL. They are not with the endpoints, because addresses are
// read before any screen is loaded.

/** The page sizes to choose from, in rows. */
export const PAGE_SIZES = [10, 25, 50, 100] as const

/** The longest search, in characters. */
export const SEARCH_LENGTH = 100

export const VOUCHER_STATUSES = ['Active', 'Used', 'Expired', 'Revoked'] as const

export type VoucherStatus = (typeof VOUCHER_STATUSES)[number]

/** A value of the filter `status`, beside VOUCHER_STATUSES. */
export const ON_HOLD = 'On hold'

/** Another value of the filter `status`. It cannot be combined: its rows are voided redemptions, and a voucher may have several. */
export const VOIDED = 'Voided'

/** A temporary branch has a first and a last day, Singapore's, both included. */
export const BRANCH_KINDS = ['permanent', 'adhoc'] as const

export type BranchKind = (typeof BRANCH_KINDS)[number]

/** A POS user is unused after this many Singapore days, today included, without a login or a redemption. */
export const UNUSED_DAYS = 14

/** The kinds of actions that the filter of the activity log offers. */
export const ACTIVITY_KINDS = [
  'Logins',
  'Users',
  'Branches',
  'Profile',
  'Passwords and PINs',
  'Vouchers',
  'Reports',
] as const

export type ActivityKind = (typeof ACTIVITY_KINDS)[number]

const accountStatus = v.picklist(ACCOUNT_STATUSES)

/**
 * `sort` is the default order, newest or largest first. Values of one filter are alternatives, while different filters narrow each other. Days are
 * Singapore's, both included.
 */
export const LISTS = {
  voucher: {
    columns: ['guid', 'serial', 'denomination', 'date_used', 'expires_on'],
    sort: 'guid',
    filters: {
      /** The value is in cents. */
      denomination: v.pipe(v.string(), v.digits(), v.maxLength(9)),
      status: v.picklist([ON_HOLD, ...VOUCHER_STATUSES, VOIDED]),
      used_from: day,
      used_to: day,
      /** When the redemption was voided: only rows of VOIDED have such a day. */
      voided_from: day,
      voided_to: day,
      branch: guid,
      /** Late uploads: all, those not reviewed yet, or those of one till. */
      late: v.union([v.picklist(['all', 'to review']), guid]),
    },
  },
  master: {
    columns: ['guid', 'name', 'email', 'status', 'last_login_at', 'created_at'],
    sort: 'guid',
    filters: { status: accountStatus },
  },
  branch: {
    columns: ['guid', 'name', 'code', 'status', 'from_day', 'to_day', 'last_login_at'],
    sort: 'guid',
    filters: {
      status: accountStatus,
      /** The status of its login. */
      account_status: accountStatus,
      kind: v.picklist(BRANCH_KINDS),
      master: v.union([v.literal('none'), guid]),
    },
  },
  pos: {
    columns: ['guid', 'username', 'last_login', 'status'],
    sort: 'guid',
    filters: { status: accountStatus, use: v.literal('unused'), branch: guid },
  },
  resources: { columns: ['guid', 'title', 'updated_at', 'size'], sort: 'guid', filters: {} },
  device: {
    /** `attention` puts the tills that need attention first, beginning with the one that has been silent longest. */
    columns: ['attention', 'name', 'branch', 'heard_at', 'waiting'],
    sort: 'attention',
    filters: {
      state: v.picklist([
        'waiting',
        'not settled',
        'refused',
        'to review',
        'update waits',
        'not reported',
        'not enrolled',
        'revoked',
      ]),
      branch: guid,
    },
  },
  /** Vouchers accepted without a check that did not become redemptions, by the day of acceptance. */
  loss: {
    columns: ['accepted_at', 'arrived_at', 'cents', 'branch', 'till'],
    sort: 'accepted_at',
    filters: { state: v.picklist(['lost', 'refused']), branch: guid, from: day, to: day },
  },
  activity: {
    columns: ['at'],
    sort: 'at',
    filters: {
      from: day,
      to: day,
      kind: v.picklist(ACTIVITY_KINDS),
      /** One of ACTIVITY_LABELS, which only the screen loads: any other value finds nothing. */
      action: v.pipe(v.string(), v.regex(/^[a-z_]{1,30}\.[a-z_]{1,30}$/)),
      actor: guid,
      branch: guid,
      /** A kind and a guid, such as `branch:` and the guid of the branch. */
      subject: v.pipe(v.string(), v.regex(/^[a-z_]{1,30}:[\w-]{1,50}$/)),
    },
  },
} as const satisfies Record<string, List>

interface List {
  columns: readonly string[]
  sort: string
  filters: Record<string, v.GenericSchema<string, string>>
}

export type ListName = keyof typeof LISTS

/** The columns that a list can be sorted by. */
export type ColumnOf<N extends ListName> = N extends ListName ? (typeof LISTS)[N]['columns'][number] : never

export type FilterOf<N extends ListName> = N extends ListName ? keyof (typeof LISTS)[N]['filters'] & string : never

export const columnsOf = <N extends ListName>(list: N) => LISTS[list].columns as unknown as readonly ColumnOf<N>[]

/** The values that a filter of a list takes. */
export type FilterValue<
  N extends ListName,
  F extends FilterOf<N>,
> = (typeof LISTS)[N]['filters'][F] extends infer S extends v.GenericSchema ? v.InferOutput<S> : never

/** Returns true when a list has this filter and the filter takes this value. */
export const isFilterValue = (list: ListName, key: string, value: string): boolean => {
  const { filters }: List = LISTS[list]
  return Object.hasOwn(filters, key) && v.is(filters[key]!, value)
}
