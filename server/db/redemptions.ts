import { and, asc, eq, gte, isNull, lt, sql, sum, count } from 'drizzle-orm'
import type { Db } from './Database.ts'
import { appUser, branch, redemption, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'

export interface RedemptionFilter {
  /** The first instant, and the first one after: `from <= redeemed_at < before`. */
  from: Date
  before: Date
  branchId?: string | null
  posUserId?: string | null
  denominationCents?: number | null
}

/** Where the page after this row begins. */
export interface LedgerPosition {
  id: string
  redeemedAt: Date
}
export type LedgerRow = Awaited<ReturnType<typeof pageOfRedemptions>>[number]

/** Which redemptions a report, a preview or a dashboard is about: the one definition of it. Voided ones never count. */
const matching = (scope: Scope, filter: RedemptionFilter) =>
  and(
    within(scope, redemption.organisationId, redemption.branchId),
    isNull(redemption.voidedAt),
    gte(redemption.redeemedAt, filter.from),
    lt(redemption.redeemedAt, filter.before),
    filter.branchId ? eq(redemption.branchId, filter.branchId) : undefined,
    filter.posUserId ? eq(redemption.posUserId, filter.posUserId) : undefined,
    typeof filter.denominationCents === 'number' ? eq(redemption.amountCents, filter.denominationCents) : undefined,
  )

/** Up to `limit` redemptions, oldest first, after the row `after`. */
export const pageOfRedemptions = (
  db: Db,
  scope: Scope,
  filter: RedemptionFilter,
  limit: number,
  after: LedgerPosition | undefined,
) =>
  db
    .select({
      id: redemption.id,
      redeemedAt: redemption.redeemedAt,
      receiptNo: redemption.receiptNo,
      serial: voucher.serial,
      amountCents: redemption.amountCents,
      branchName: branch.name,
      posUsername: appUser.loginName,
    })
    .from(redemption)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .where(and(matching(scope, filter), after && isAfter(after)))
    .orderBy(asc(redemption.redeemedAt), asc(redemption.id))
    .limit(limit)

const isAfter = ({ id, redeemedAt }: LedgerPosition) =>
  sql`(${redemption.redeemedAt}, ${redemption.id}) > (${redeemedAt.toISOString()}::timestamptz, ${id}::uuid)`

/** Count and sum in cents of the same redemptions. */
export async function totalOfRedemptions(db: Db, scope: Scope, filter: RedemptionFilter) {
  const [total] = await db
    .select({ rows: count(), cents: sum(redemption.amountCents) })
    .from(redemption)
    .where(matching(scope, filter))
  return { rows: total?.rows ?? 0, cents: Number(total?.cents ?? 0) }
}

/** A redemption of the scope with what its receipt says, or `undefined`. */
export async function findReceipt(db: Db, scope: Scope, id: string) {
  const [found] = await db
    .select({
      id: redemption.id,
      serial: voucher.serial,
      denominationCents: redemption.amountCents,
      expiresOn: voucher.expiresOn,
      receiptNo: redemption.receiptNo,
      redeemedAt: redemption.redeemedAt,
      posUsername: appUser.loginName,
      branchName: branch.name,
    })
    .from(redemption)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .where(and(within(scope, redemption.organisationId, redemption.branchId), eq(redemption.id, id)))
  return found
}
