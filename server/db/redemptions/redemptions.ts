import { and, asc, desc, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { Database, Db, Statement } from '../engine/Database.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { lateUpload, redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { within, type Scope } from '../Scope.ts'
import { reviewerName, settlerName } from './lateUploads.ts'

export interface RedemptionFilter {
  /** The first instant, and the first one after the period: `from <= redeemed_at < before`. */
  from: Date
  before: Date
  branchId?: string | null
  posUserId?: string | null
  denominationCents?: number | null
}

/** The condition for the redemptions of a report, a preview or a dashboard; no other place defines it. Voided ones never count. */
export const redemptionCondition = (scope: Scope, filter: RedemptionFilter) =>
  and(
    within(scope, redemption.organisationId, redemption.branchId),
    isNull(redemption.voidedAt),
    gte(redemption.redeemedAt, filter.from),
    lt(redemption.redeemedAt, filter.before),
    filter.branchId ? eq(redemption.branchId, filter.branchId) : undefined,
    filter.posUserId ? eq(redemption.posUserId, filter.posUserId) : undefined,
    typeof filter.denominationCents === 'number' ? eq(redemption.amountCents, filter.denominationCents) : undefined,
  )

/** Lists the redemptions of one voucher in the scope, oldest first, voided ones included. */
export const redemptionsOfVoucher = (db: Db, scope: Scope, voucherId: string) =>
  db
    .select({
      redeemedAt: redemption.redeemedAt,
      voidedAt: redemption.voidedAt,
      receiptNo: redemption.receiptNo,
      branchId: redemption.branchId,
      branchName: branch.name,
      posUsername: appUser.loginName,
      isLate: sql<boolean>`${lateUpload.redemptionId} IS NOT NULL`,
      settledBy: settlerName,
      reason: lateUpload.reason,
      reviewedAt: lateUpload.reviewedAt,
      reviewedBy: reviewerName,
    })
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .leftJoin(lateUpload, eq(lateUpload.redemptionId, redemption.id))
    .where(and(within(scope, redemption.organisationId, redemption.branchId), eq(redemption.voucherId, voucherId)))
    .orderBy(asc(redemption.redeemedAt), asc(redemption.id))

/** True if the branch has redemptions. Voided ones count: they are in the ledger. */
export async function hasRedemptions(db: Db, branchId: string): Promise<boolean> {
  const [found] = await db
    .select({ id: redemption.id })
    .from(redemption)
    .where(eq(redemption.branchId, branchId))
    .limit(1)
  return found !== undefined
}

/** Lists the redemptions of a POS user between two instants, voided ones included, newest first. */
export const redemptionsOfDay = (
  db: Db,
  posUserId: string,
  { from, before }: { from: Date; before: Date },
  limit: number,
) =>
  db
    .select({
      id: redemption.id,
      serial: voucher.serial,
      denominationCents: redemption.amountCents,
      receiptNo: redemption.receiptNo,
      redeemedAt: redemption.redeemedAt,
      recordedAt: redemption.recordedAt,
      tillName: redemption.tillName,
      voidedAt: redemption.voidedAt,
    })
    .from(redemption)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .where(
      and(eq(redemption.posUserId, posUserId), gte(redemption.redeemedAt, from), lt(redemption.redeemedAt, before)),
    )
    .orderBy(desc(redemption.redeemedAt), desc(redemption.id))
    .limit(limit)

/** More receipts than a daily backup can lack: the whole country redeems twenty million a day (docs/CAPACITY.md). */
const RECEIPT_STEP = 100_000_000

const SKIP_STATEMENT: Statement<[step: number], { skipped: string }> = {
  name: 'skip_receipts',
  text: `SELECT setval('receipt_no', (last_value / $1::bigint + 2) * $1::bigint)::text AS skipped FROM receipt_no`,
}

/** Moves the receipt numbers past all numbers that may have been used since a backup. Returns the last skipped number. */
export async function skipReceiptNumbers({ run }: Pick<Database, 'run'>): Promise<string> {
  const [row] = await run(SKIP_STATEMENT, [RECEIPT_STEP])
  if (!row) throw new TypeError('a sequence always gives a row')
  return row.skipped
}
