import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { HoldEnding } from '../../src/contract/redemptions/hold.ts'
import type { Db } from './engine/Database.ts'
import { type HoldRight, reachedBy } from './HoldRight.ts'
import type { HeldVoucher } from './redemptions/holds.ts'
import { branch, endedHold, voucher } from './schema.ts'
import { type Scope, within } from './Scope.ts'

/** Without a redemption. */
export type Ending = Exclude<HoldEnding, 'redeemed' | 'voided'>

/** Writes down why a till has lost its holds, in the transaction that frees the vouchers. */
export async function insertEndings(tx: Db, held: HeldVoucher[], by: Ending, now: Date): Promise<void> {
  await tx.insert(endedHold).values(held.map((one) => endingOf(one, by, now)))
}

const endingOf = (held: HeldVoucher, endedBy: Ending, endedAt: Date): typeof endedHold.$inferInsert => ({
  id: held.holdId,
  secretHash: held.holdSecretHash,
  voucherId: held.id,
  organisationId: held.holdOrganisationId,
  branchId: held.holdBranchId,
  posUserId: held.holdPosUserId,
  tillName: held.holdTillName,
  since: held.holdSince,
  endedBy,
  endedAt,
})

/** Cancelled before it was made: a verify that is still on its way finds this, and holds nothing. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(endedHold).values({ id, secretHash, endedBy: 'cancelled', endedAt: now })
}

/** How the hold of this id ended, if it did without a redemption. */
export async function findEndedHold(db: Db, id: string, right: HoldRight) {
  const [found] = await db
    .select({ by: endedHold.endedBy, when: endedHold.endedAt })
    .from(endedHold)
    .where(and(eq(endedHold.id, id), reachedBy(right, endedHold)))
  return found
}

/** How the hold that a voucher had since then ended, in the scope. */
export async function findEndedHoldOfVoucher(db: Db, scope: Scope, voucherId: string, since: Date) {
  const mine = within(scope, endedHold.organisationId, endedHold.branchId)
  const [found] = await db
    .select({ by: endedHold.endedBy })
    .from(endedHold)
    .where(and(eq(endedHold.voucherId, voucherId), eq(endedHold.since, since), mine))
  return found
}

/** Holds that ended without their till's doing: since then, newest first. The condition is that of the index. */
export const holdsTakenAway = (
  db: Db,
  of: { posUserId: string; organisationId: string } | { scope: Scope },
  since: Date,
  limit: number,
) =>
  db
    .select({
      id: endedHold.id,
      by: endedHold.endedBy,
      at: endedHold.endedAt,
      till: sql<string>`coalesce(${endedHold.tillName}, '')`,
      branchName: branch.name,
      voucherId: voucher.id,
      serial: voucher.serial,
      cents: voucher.denominationCents,
    })
    .from(endedHold)
    .innerJoin(voucher, eq(voucher.id, endedHold.voucherId))
    .innerJoin(branch, eq(branch.id, endedHold.branchId))
    .where(
      and(
        gt(endedHold.endedAt, since),
        sql`${endedHold.endedBy} IN ('released by merchant', 'released by provider', 'deactivated', 'taken over')`,
        'scope' in of
          ? and(
              within(of.scope, endedHold.organisationId, endedHold.branchId),
              eq(endedHold.endedBy, 'released by provider'),
            )
          : and(eq(endedHold.organisationId, of.organisationId), eq(endedHold.posUserId, of.posUserId)),
      ),
    )
    .orderBy(desc(endedHold.endedAt), desc(endedHold.id))
    .limit(limit)
