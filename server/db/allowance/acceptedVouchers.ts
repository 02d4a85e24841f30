import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher } from '../schema/allowance.ts'
import { appUser } from '../schema/organisations.ts'
import { hold, redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'

// These rows are vouchers that tills accepted without a check (decision 0092).

export type StoredAccepted = typeof acceptedVoucher.$inferSelect

/** Reads the row and locks its id until the transaction ends, even if there is no row yet. */
export async function lockAccepted(tx: Db, id: string): Promise<StoredAccepted | undefined> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${id}, 0))`)
  const [found] = await tx.select().from(acceptedVoucher).where(eq(acceptedVoucher.id, id))
  return found
}

/** Counts the rows of a grant whose outcome is review, whether or not the review has happened. */
export const countForReview = (db: Db, grantId: string): Promise<number> =>
  db.$count(acceptedVoucher, and(eq(acceptedVoucher.grantId, grantId), eq(acceptedVoucher.outcome, 'review')))

/** True if the POS user works at the branch. */
export const isPosUserOf = async (db: Db, branchId: string, id: string): Promise<boolean> =>
  (await db.$count(appUser, and(eq(appUser.id, id), eq(appUser.branchId, branchId), eq(appUser.type, 'POS User')))) > 0

/** True if a hold has this id. The ledger may then have a row with the same id. */
export const isHold = async (db: Db, id: string): Promise<boolean> => (await db.$count(hold, eq(hold.id, id))) > 0

export async function insertAccepted(tx: Db, row: typeof acceptedVoucher.$inferInsert): Promise<StoredAccepted> {
  const [made] = await tx.insert(acceptedVoucher).values(row).returning()
  return made!
}

/**
 * Marks the voucher as used and adds a ledger row that has no hold. `holdSecretHash` is the hash of the grant's secret, with which the redemption can
 * be voided. The caller has locked the voucher, ended its hold, and checked everything else.
 */
export async function redeemAccepted(
  tx: Db,
  voucherId: string,
  row: StoredAccepted,
  holdSecretHash: string,
): Promise<void> {
  const { id, organisationId, branchId, posUserId, tillId, tillName, cents, acceptedAt, arrivedAt } = row
  const used = { status: 'Used' as const, usedAt: acceptedAt, organisationId, branchId }
  await tx.update(voucher).set(used).where(eq(voucher.id, voucherId))
  const place = { organisationId, branchId, posUserId, tillId, tillName }
  const times = { redeemedAt: acceptedAt, recordedAt: arrivedAt }
  await tx.insert(redemption).values({ id, voucherId, ...place, amountCents: cents, ...times, holdSecretHash })
}
