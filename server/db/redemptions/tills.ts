import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { branch } from '../schema/organisations.ts'
import { till } from '../schema/redemptions.ts'

type TillRow = typeof till.$inferSelect

const isTillAt = (branchId: string, id: string) => and(eq(till.branchId, branchId), eq(till.id, id))

/** The fields of a till that works at its branch, to reset any earlier state. */
export const TILL_IN_USE = { revokedAt: null, movedTo: null, removalRequestedAt: null, removedAt: null }

/** Names a device at a branch, for the first time or again. */
export async function upsertTill(db: Db, row: typeof till.$inferInsert): Promise<void> {
  const { branchId: _, id: _id, ...set } = row
  await db
    .insert(till)
    .values(row)
    .onConflictDoUpdate({ target: [till.branchId, till.id], set })
}

export async function findTill(db: Db, branchId: string, id: string): Promise<TillRow | undefined> {
  const [found] = await db.select().from(till).where(isTillAt(branchId, id))
  return found
}

export async function findTillByGuid(db: Db, guid: string): Promise<TillRow | undefined> {
  const [found] = await db.select().from(till).where(eq(till.guid, guid))
  return found
}

/** The till of a device that was found by its cookie. */
export type KnownTill = NonNullable<Awaited<ReturnType<typeof findTillByToken>>>

export async function findTillByToken(db: Db, tokenHash: string) {
  const [found] = await db
    .select({
      guid: till.guid,
      id: till.id,
      name: till.name,
      branchId: till.branchId,
      organisationId: branch.organisationId,
      enrolledAt: till.enrolledAt,
      revokedAt: till.revokedAt,
      movedTo: till.movedTo,
      removalRequestedAt: till.removalRequestedAt,
      removedAt: till.removedAt,
    })
    .from(till)
    .innerJoin(branch, eq(branch.id, till.branchId))
    .where(eq(till.tokenHash, tokenHash))
  return found
}

/** Locks the till at this branch until the transaction ends, so that its holds are made one after the other. */
export async function lockTill(tx: Db, branchId: string, id: string) {
  const [found] = await tx
    .select({
      guid: till.guid,
      name: till.name,
      tokenHash: till.tokenHash,
      enrolledAt: till.enrolledAt,
      revokedAt: till.revokedAt,
    })
    .from(till)
    .where(isTillAt(branchId, id))
    .for('no key update')
    .prepare('lock_till')
    .execute()
  return found
}

/** True if a device that was once a till of this branch is revoked at the branch where it works now. */
export async function isTillRevoked(db: Db, { branchId, id }: { branchId: string; id: string }): Promise<boolean> {
  // UNION drops repeated rows, so the recursion ends for a till that was moved back.
  const { rows } = (await db.execute(sql`
    WITH RECURSIVE place AS (
      SELECT branch_id, moved_to, revoked_at FROM till WHERE branch_id = ${branchId}::uuid AND id = ${id}::uuid
      UNION
      SELECT t.branch_id, t.moved_to, t.revoked_at FROM till t JOIN place p ON t.branch_id = p.moved_to
      WHERE t.id = ${id}::uuid
    )
    SELECT coalesce(bool_or(revoked_at IS NOT NULL), false) AS revoked FROM place WHERE moved_to IS NULL`)) as unknown as {
    rows: { revoked: boolean }[]
  }
  return rows[0]!.revoked
}

export async function changeTill(tx: Db, guid: string, set: Partial<TillRow>): Promise<void> {
  await tx.update(till).set(set).where(eq(till.guid, guid))
}
