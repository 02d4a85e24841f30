import { and, desc, eq, gt, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { appUser, branch, organisation } from '../schema/organisations.ts'
import { lateUpload, redemption, till } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'

// Redemptions that a till uploaded after it was revoked, or that a person settled for it (decision 0079). Voided redemptions need no review.

const redemptionOfUpload = eq(redemption.id, lateUpload.redemptionId)
const isToReview = and(isNull(lateUpload.reviewedAt), isNull(redemption.voidedAt))

const selectToReview = <T>(value: SQL) => sql<T>`(
  SELECT ${value} FROM ${lateUpload} JOIN ${redemption} ON ${redemptionOfUpload}
  WHERE ${lateUpload.tillGuid} = ${till.guid} AND ${isToReview})`

/** The login name of the reviewer of a row of `late_upload`; null before its review. */
export const reviewerName = sql<string>`(SELECT login_name FROM app_user AS reviewer WHERE reviewer.id = ${lateUpload.reviewedBy})`

/** The login name of the person who settled a row of `late_upload`; null if the till itself did. */
export const settlerName = sql<
  string | null
>`(SELECT login_name FROM app_user AS settler WHERE settler.id = ${lateUpload.settledBy})`

/** For a row of `till`: count, cents and newest time of its late uploads that wait for a review. */
export const lateUploadColumns = {
  lateCount: selectToReview<number>(sql`count(*)::int`),
  lateCents: selectToReview<number>(sql`coalesce(sum(${redemption.amountCents}), 0)::int`),
  lateNewestAt: selectToReview<Date | null>(sql`max(${redemption.recordedAt})`).mapWith(redemption.recordedAt),
}

export const tillHasLateUploads = sql<boolean>`${lateUploadColumns.lateCount} > 0`

/** True for late redemptions of the table `redemption`. `which` is `all`, `to review`, or the guid of a till. */
export const isLateUpload = (which: string): SQL => sql`EXISTS (
  SELECT FROM ${lateUpload} WHERE ${and(redemptionOfUpload, isSelected(which))})`

/** True for vouchers of the table `voucher` whose redemption was late, with the same `which`. */
export const isVoucherOfLateUpload = (which: string): SQL => sql`${voucher.id} IN (
  SELECT ${redemption.voucherId} FROM ${lateUpload} JOIN ${redemption} ON ${redemptionOfUpload}
  WHERE ${and(isNull(redemption.voidedAt), isSelected(which))})`

function isSelected(which: string): SQL | undefined {
  if (which === 'all') return undefined
  return which === 'to review' ? isNull(lateUpload.reviewedAt) : eq(lateUpload.tillGuid, which)
}

/**
 * Marks the till's late uploads recorded until `until` as reviewed. Rows with a review stay unchanged. Returns count and cents of the newly reviewed
 * ones.
 */
export async function reviewLateUploads(
  tx: Db,
  tillGuid: string,
  until: Date,
  by: { reviewedAt: Date; reviewedBy: string },
): Promise<{ count: number; cents: number }> {
  const reviewed = await tx
    .update(lateUpload)
    .set(by)
    .from(redemption)
    .where(and(eq(lateUpload.tillGuid, tillGuid), redemptionOfUpload, isToReview, lte(redemption.recordedAt, until)))
    .returning({ cents: redemption.amountCents })
  return { count: reviewed.length, cents: reviewed.reduce((all, { cents }) => all + cents, 0) }
}

/** Returns when the till's late uploads were last reviewed, and the reviewer's login name. */
export async function lastLateUploadReview(db: Db, tillGuid: string): Promise<{ at: Date; by: string } | undefined> {
  const [found] = await db
    .select({ at: lateUpload.reviewedAt, by: reviewerName })
    .from(lateUpload)
    .where(and(eq(lateUpload.tillGuid, tillGuid), isNotNull(lateUpload.reviewedAt)))
    .orderBy(desc(lateUpload.reviewedAt))
    .limit(1)
  return found?.at ? { at: found.at, by: found.by } : undefined
}

/** Lists redemptions that people settled for a till and that are not reviewed, with the person and the reason, newest first. */
export const settledByHand = (db: Db, tillGuid: string, limit: number) =>
  db
    .select({
      id: redemption.id,
      serial: voucher.serial,
      denominationCents: redemption.amountCents,
      redeemedAt: redemption.redeemedAt,
      by: appUser.loginName,
      reason: sql<string>`${lateUpload.reason}`,
    })
    .from(lateUpload)
    .innerJoin(redemption, redemptionOfUpload)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(appUser, eq(appUser.id, lateUpload.settledBy))
    .where(and(eq(lateUpload.tillGuid, tillGuid), isToReview))
    .orderBy(desc(redemption.recordedAt), desc(redemption.id))
    .limit(limit)

/** True if this person settled the redemption for its till. */
export async function isSettledBy(db: Db, redemptionId: string, userId: string): Promise<boolean> {
  const which = and(eq(lateUpload.redemptionId, redemptionId), eq(lateUpload.settledBy, userId))
  return (await db.$count(lateUpload, which)) > 0
}

/** Lists late uploads of all merchants recorded after `since`, reviewed or not, newest first. Voided ones are left out. */
export const lateUploadsOfAll = (db: Db, since: Date, limit: number) =>
  db
    .select({
      merchantId: organisation.merchantId,
      merchantName: organisation.name,
      branchName: branch.name,
      tillName: till.name,
      serial: voucher.serial,
      cents: redemption.amountCents,
      recordedAt: redemption.recordedAt,
      settledBy: settlerName,
      reason: lateUpload.reason,
      reviewedAt: lateUpload.reviewedAt,
      reviewedBy: reviewerName,
    })
    .from(lateUpload)
    .innerJoin(redemption, redemptionOfUpload)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(till, eq(till.guid, lateUpload.tillGuid))
    .innerJoin(branch, eq(branch.id, till.branchId))
    .innerJoin(organisation, eq(organisation.id, branch.organisationId))
    .where(and(gt(redemption.recordedAt, since), isNull(redemption.voidedAt)))
    .orderBy(desc(redemption.recordedAt), desc(redemption.id))
    .limit(limit)

/** Records a redemption that a person settled for a till (rule 9.25) as a late upload of that till, with the person and the reason. */
export async function noteSettledByHand(
  tx: Db,
  { id, branchId, tillId }: { id: string; branchId: string; tillId: string },
  by: { settledBy: string; reason: string },
): Promise<void> {
  const [found] = await tx
    .select({ guid: till.guid })
    .from(till)
    .where(and(eq(till.branchId, branchId), eq(till.id, tillId)))
  if (!found) throw new TypeError('every hold belongs to a till')
  await tx
    .insert(lateUpload)
    .values({ redemptionId: id, tillGuid: found.guid, ...by })
    .onConflictDoUpdate({ target: lateUpload.redemptionId, set: by })
}
