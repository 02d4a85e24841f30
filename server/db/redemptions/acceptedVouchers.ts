import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher, allowanceGrant } from '../schema/allowance.ts'
import { appUser } from '../schema/organisations.ts'
import { hold, redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import type { StoredGrant } from './allowance.ts'

// What tills accepted without a check and have told the server of (decision 0092).

export type StoredAccepted = typeof acceptedVoucher.$inferSelect

/** Nobody else judges this id until the transaction ends, also while there is no row of it. */
export async function lockAccepted(tx: Db, id: string): Promise<StoredAccepted | undefined> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`)
  const [found] = await tx.select().from(acceptedVoucher).where(eq(acceptedVoucher.id, id))
  return found
}

/** What waited for a hold of another till that has ended by now, the longest first; `most` at once. */
export const acceptedToSettle = (db: Db, now: Date, most: number): Promise<Pick<StoredAccepted, 'id' | 'code'>[]> =>
  db
    .select({ id: acceptedVoucher.id, code: acceptedVoucher.code })
    .from(acceptedVoucher)
    .where(
      and(
        isNull(acceptedVoucher.outcome),
        sql`NOT EXISTS (SELECT FROM ${voucher} JOIN ${hold} ON ${hold.voucherId} = ${voucher.id}
          WHERE ${and(eq(voucher.serial, acceptedVoucher.serial), isNull(hold.became), gt(hold.endsAt, now))})`,
      ),
    )
    .orderBy(acceptedVoucher.arrivedAt)
    .limit(most)

/** How many rows of a grant a person has to look at, or had. */
export const countReviewed = (db: Db, grantId: string): Promise<number> =>
  db.$count(acceptedVoucher, and(eq(acceptedVoucher.grantId, grantId), eq(acceptedVoucher.outcome, 'review')))

/** Whether the POS user works at the branch. */
export async function isPosUserOf(db: Db, branchId: string, id: string): Promise<boolean> {
  const found = await db
    .select({ id: appUser.id })
    .from(appUser)
    .where(and(eq(appUser.id, id), eq(appUser.branchId, branchId), eq(appUser.type, 'POS User')))
  return found.length > 0
}

/** Another row of the same device that stands, in part, for the same cents of its total. */
export async function overlaps(
  tx: Db,
  row: Pick<StoredAccepted, 'id' | 'totalCents' | 'cents'>,
  { organisationId, tillId, key }: Pick<StoredGrant, 'organisationId' | 'tillId' | 'key'>,
): Promise<boolean> {
  const found = await tx
    .select({ id: acceptedVoucher.id })
    .from(acceptedVoucher)
    .innerJoin(allowanceGrant, eq(allowanceGrant.id, acceptedVoucher.grantId))
    .where(
      and(
        eq(acceptedVoucher.organisationId, organisationId),
        eq(acceptedVoucher.tillId, tillId),
        eq(allowanceGrant.key, key),
        ne(acceptedVoucher.id, row.id),
        sql`${acceptedVoucher.totalCents} > ${row.totalCents - row.cents}`,
        sql`${acceptedVoucher.totalCents} - ${acceptedVoucher.cents} < ${row.totalCents}`,
      ),
    )
    .limit(1)
  return found.length > 0
}

export async function insertAccepted(tx: Db, row: typeof acceptedVoucher.$inferInsert): Promise<StoredAccepted> {
  const [made] = await tx.insert(acceptedVoucher).values(row).returning()
  return made!
}

/** What became of it, for good. */
export async function setOutcome(
  tx: Db,
  id: string,
  outcome: Pick<typeof acceptedVoucher.$inferInsert, 'outcome' | 'reason' | 'usedAt' | 'usedBy'>,
): Promise<StoredAccepted> {
  const [changed] = await tx.update(acceptedVoucher).set(outcome).where(eq(acceptedVoucher.id, id)).returning()
  return changed!
}

/** Whether a hold, and so perhaps a row of the ledger, has this id. */
export async function isTaken(db: Db, id: string): Promise<boolean> {
  const found = await db.select({ id: hold.id }).from(hold).where(eq(hold.id, id))
  return found.length > 0
}

/** The redemption that a voucher is used by. */
export async function findUse(tx: Db, voucherId: string) {
  const [found] = await tx
    .select({ id: redemption.id, at: redemption.redeemedAt })
    .from(redemption)
    .where(and(eq(redemption.voucherId, voucherId), isNull(redemption.voidedAt)))
  return found
}

/**
 * The voucher is used, by a row of the ledger without a hold: the secret of its grant is the right to void it. The caller has locked the
 * voucher, ended its hold, and judged everything else.
 */
export async function redeemAccepted(
  tx: Db,
  { id: voucherId, denominationCents }: Pick<typeof voucher.$inferSelect, 'id' | 'denominationCents'>,
  row: StoredAccepted,
  secretHash: string,
  now: Date,
): Promise<void> {
  const { id, organisationId, branchId, posUserId, tillId, tillName, acceptedAt } = row
  await tx
    .update(voucher)
    .set({ status: 'Used', usedAt: acceptedAt, organisationId, branchId })
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
    holdSecretHash: secretHash,
    tillId,
    tillName,
  })
}
