import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher } from '../schema/allowance.ts'
import { appUser } from '../schema/organisations.ts'
import { redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { NO_HOLD, type VoucherRecord } from './holds.ts'

// What tills accepted without a check and uploaded (decision 0092).

export type AcceptedRow = typeof acceptedVoucher.$inferSelect

export async function findAccepted(db: Db, id: string): Promise<AcceptedRow | undefined> {
  const [found] = await db.select().from(acceptedVoucher).where(eq(acceptedVoucher.id, id))
  return found
}

/** What waited for a hold of another till that has ended by now, the longest first; `most` at once. */
export const acceptedToSettle = (db: Db, now: Date, most: number): Promise<Pick<AcceptedRow, 'id' | 'code'>[]> =>
  db
    .select({ id: acceptedVoucher.id, code: acceptedVoucher.code })
    .from(acceptedVoucher)
    .where(
      and(
        isNull(acceptedVoucher.outcome),
        sql`NOT EXISTS (SELECT FROM voucher v WHERE v.serial = ${acceptedVoucher.serial}
          AND v.hold_id IS NOT NULL AND v.hold_ends_at > ${now.toISOString()}::timestamptz)`,
      ),
    )
    .orderBy(acceptedVoucher.arrivedAt)
    .limit(most)

/** Whether the POS user works at the branch. */
export async function isPosUserOf(db: Db, branchId: string, id: string): Promise<boolean> {
  const found = await db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.id, id), eq(appUser.branchId, branchId), eq(appUser.type, 'POS User')))
  return found.length > 0
}

/** Another row of the same sequence that stands, in part, for the same cents of its total. */
export async function overlaps(
  tx: Db,
  row: Pick<AcceptedRow, 'id' | 'organisationId' | 'sequence' | 'totalCents' | 'cents'>,
) {
  const found = await tx
    .select({ id: acceptedVoucher.id })
    .from(acceptedVoucher)
    .where(
      and(
        eq(acceptedVoucher.organisationId, row.organisationId),
        eq(acceptedVoucher.sequence, row.sequence),
        ne(acceptedVoucher.id, row.id),
        sql`${acceptedVoucher.totalCents} > ${row.totalCents - row.cents}`,
        sql`${acceptedVoucher.totalCents} - ${acceptedVoucher.cents} < ${row.totalCents}`,
      ),
    )
    .limit(1)
  return found.length > 0
}

export async function insertAccepted(tx: Db, row: typeof acceptedVoucher.$inferInsert): Promise<AcceptedRow> {
  const [made] = await tx.insert(acceptedVoucher).values(row).returning()
  return made!
}

/** What became of it, for good. */
export async function setOutcome(
  tx: Db,
  id: string,
  outcome: Pick<typeof acceptedVoucher.$inferInsert, 'outcome' | 'reason' | 'usedAt' | 'usedBy'>,
): Promise<AcceptedRow> {
  const [changed] = await tx.update(acceptedVoucher).set(outcome).where(eq(acceptedVoucher.id, id)).returning()
  return changed!
}

/** Whether a row of the ledger has this id. */
export async function isRedemption(db: Db, id: string): Promise<boolean> {
  const found = await db.select({ id: redemption.id }).from(redemption).where(eq(redemption.id, id))
  return found.length > 0
}

/** The redemption that a voucher is used by. */
export async function findUse(tx: Db, voucherId: string) {
  const [found] = await tx
    .select({ id: redemption.id, at: redemption.redeemedAt })
    .from(redemption)
    .where(and(eq(redemption.voucherId, voucherId), sql`${redemption.voidedAt} IS NULL`))
  return found
}

/** The voucher is used, by a row of the ledger without a hold. The caller has locked it, ended its hold, and judged everything else. */
export async function redeemAccepted(
  tx: Db,
  { id: voucherId, denominationCents }: VoucherRecord,
  row: Pick<AcceptedRow, 'id' | 'organisationId' | 'branchId' | 'posUserId' | 'tillId' | 'tillName' | 'acceptedAt'>,
  now: Date,
): Promise<void> {
  const { id, organisationId, branchId, posUserId, tillId, tillName, acceptedAt } = row
  await tx
    .update(voucher)
    .set({
      status: 'Used',
      usedAt: acceptedAt,
      redeemedOrganisationId: organisationId,
      redeemedBranchId: branchId,
      ...NO_HOLD,
    })
    .where(eq(voucher.id, voucherId))
  await tx.insert(redemption).values({
    id,
    voucherId,
    organisationId,
    branchId,
    posUserId,
    amountCents: denominationCents,
    redeemedAt: acceptedAt,
    recordedAt: now,
    tillId,
    tillName,
  })
}
