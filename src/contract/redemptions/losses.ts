import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { LOSS_COLUMNS, LOSS_FILTERS } from '../tables/tableColumns.ts'
import { tablePage, tableQuery } from '../tables/tableQuery.ts'
import { cents, count, instant } from '../wireFields.ts'
import { LOSS_REASONS, REVIEW_REASONS } from './allowance.ts'

/** Where a voucher was used: named where it is of the same organisation, else "another merchant" (rule 8.4). */
const UsedAt = v.object({ branch_name: v.string(), till: v.nullable(v.string()) })

/** A voucher that a till accepted without a check, and that the shop was not paid for. */
export const LossRow = v.object({
  /** The id of the `AcceptedVoucher`. */
  guid,
  serial: v.string(),
  cents,
  branch_guid: guid,
  branch_name: v.string(),
  /** The name of the till then. */
  till: v.string(),
  pos_username: v.nullable(v.string()),
  /** By the clock of the device, kept within its grant. */
  accepted_at: instant,
  arrived_at: instant,
  outcome: v.picklist(['lost', 'review']),
  reason: v.picklist([...LOSS_REASONS, ...REVIEW_REASONS]),
  /** When somebody else redeemed it; null where it was not, or the time is not known. */
  used_at: v.nullable(instant),
  /** Null where nobody used it, or somebody of another merchant did. */
  used: v.nullable(UsedAt),
  reviewed_at: v.nullable(instant),
  reviewed_by: v.nullable(v.string()),
})
export type LossRow = v.InferOutput<typeof LossRow>

const view = { base: 'api', access: { feature: 'reports', action: 'view' } } as const
const query = tableQuery(LOSS_COLUMNS, LOSS_FILTERS)

export const lossTable = endpoint({
  ...view,
  method: 'POST',
  path: '/loss/datatable',
  summary: 'Vouchers that tills of my scope accepted without a check and that were not redeemed by it',
  body: query,
  answer: tablePage(LossRow),
  errors: ['START_TOO_DEEP'],
})

export const exportLosses = endpoint({
  base: 'api',
  access: { feature: 'reports', action: 'download' },
  method: 'POST',
  path: '/loss/export',
  summary: 'The whole filtered table of losses as CSV',
  body: query,
  answer: 'file',
})

const sum = v.object({ count, cents })

export const LossSums = v.object({ lost: sum, to_review: sum, redeemed: sum, waiting: sum })
export type LossSums = v.InferOutput<typeof LossSums>

/** Never part of the sums of a report or of the dashboard: those are of the ledger. */
export const lossSums = endpoint({
  ...view,
  method: 'GET',
  path: '/loss/sums',
  summary: 'What became of all that the tills of my scope accepted without a check in the last 30 days',
  answer: LossSums,
})

/** Money is not changed by it. Done again it is done already. */
export const reviewLoss = endpoint({
  base: 'api',
  access: { feature: 'pos', action: 'edit' },
  method: 'POST',
  path: '/loss/:id/review',
  summary: 'Say that somebody has reviewed a voucher that was lost or refused',
  params: byId,
  answer: LossRow,
})

const place = { branch_name: v.string(), till: v.string() }

/** What may be fraud, of LIMITS.noticeDays. `merchant` only at the desk. */
export const Concern = v.variant('kind', [
  /** One voucher at several tills. `others`: of the same organisation; `elsewhere`: whether another merchant had it too. */
  v.object({
    kind: v.literal('same voucher'),
    serial: v.string(),
    cents,
    at: instant,
    tills: v.array(v.object(place)),
    elsewhere: v.boolean(),
  }),
  /** Serials in a row at one till, on one day. */
  v.object({
    kind: v.literal('serials in a row'),
    ...place,
    count,
    cents,
    first: v.string(),
    last: v.string(),
    at: instant,
  }),
  /** A till that had used up its limit on three or more of the last seven days. */
  v.object({ kind: v.literal('limit reached'), ...place, days: count, at: instant }),
  v.object({ kind: v.literal('to review'), ...place, count, cents, at: instant }),
])
export type Concern = v.InferOutput<typeof Concern>

export const readConcerns = endpoint({
  ...view,
  method: 'GET',
  path: '/allowance/concerns',
  summary:
    'What the tills of my organisation accepted without a check and that somebody should look at; for a main account',
  answer: v.object({ concerns: v.array(Concern) }),
})
