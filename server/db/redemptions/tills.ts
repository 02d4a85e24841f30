import { and, eq } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { branch } from '../schema/organisations.ts'
import { till } from '../schema/redemptions.ts'

type TillRow = typeof till.$inferSelect

const at = (branchId: string, id: string) => and(eq(till.branchId, branchId), eq(till.id, id))

/** Of a till that works at its branch: whatever it was before. */
export const IN_USE = { revokedAt: null, removalAskedAt: null, removedAt: null }

/** Names a device at a branch, for the first time or anew. */
export async function putTill(db: Db, row: typeof till.$inferInsert): Promise<void> {
  const { branchId: _, id: _id, ...set } = row
  await db
    .insert(till)
    .values(row)
    .onConflictDoUpdate({ target: [till.branchId, till.id], set })
}

export async function findTill(db: Db, branchId: string, id: string): Promise<TillRow | undefined> {
  const [found] = await db.select().from(till).where(at(branchId, id))
  return found
}

export async function findTillByGuid(db: Db, guid: string): Promise<TillRow | undefined> {
  const [found] = await db.select().from(till).where(eq(till.guid, guid))
  return found
}

/** Who a device is, by its cookie. */
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
      removalAskedAt: till.removalAskedAt,
      removedAt: till.removedAt,
    })
    .from(till)
    .innerJoin(branch, eq(branch.id, till.branchId))
    .where(eq(till.tokenHash, tokenHash))
  return found
}

/** What the till is at this branch; its holds are made one after the other until the transaction ends. */
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
    .where(at(branchId, id))
    .for('no key update')
    .prepare('lock_till')
    .execute()
  return found
}

export async function changeTill(tx: Db, guid: string, set: Partial<TillRow>): Promise<void> {
  await tx.update(till).set(set).where(eq(till.guid, guid))
}
