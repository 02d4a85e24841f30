import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { PublicKey } from '../../../src/contract/devices/deviceReports.ts'
import type { Db } from '../engine/Database.ts'
import { till } from '../schema/redemptions.ts'

type TillRow = typeof till.$inferSelect

const at = (branchId: string, id: string) => and(eq(till.branchId, branchId), eq(till.id, id))

/** Of a till that works at its branch: whatever it was before. */
export const IN_USE = { revokedAt: null, movedTo: null, removalAskedAt: null, removedAt: null }

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

/** What the till is at this branch; its holds are made one after the other until the transaction ends. */
export async function lockTill(tx: Db, branchId: string, id: string) {
  const [found] = await tx
    .select({
      guid: till.guid,
      name: till.name,
      publicKey: till.publicKey,
      enrolledAt: till.enrolledAt,
      provenAt: till.provenAt,
      revokedAt: till.revokedAt,
    })
    .from(till)
    .where(at(branchId, id))
    .for('no key update')
    .prepare('lock_till')
    .execute()
  return found
}

/** Gives a till its key: one that was enrolled keeps the one that it has. Whether it has this key now. */
export async function setTillKey(db: Db, branchId: string, id: string, publicKey: PublicKey): Promise<boolean> {
  const isSame = sql`${till.publicKey} = ${JSON.stringify(publicKey)}::jsonb`
  const changed = await db
    .update(till)
    .set({ publicKey })
    .where(and(at(branchId, id), isNull(till.revokedAt), or(isNull(till.enrolledAt), isSame)))
    .returning({ guid: till.guid })
  return changed.length > 0
}

export async function changeTill(tx: Db, guid: string, set: Partial<TillRow>): Promise<void> {
  await tx.update(till).set(set).where(eq(till.guid, guid))
}
