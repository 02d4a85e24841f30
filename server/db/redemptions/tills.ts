import { and, eq } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { till } from '../schema/redemptions.ts'

/** Names a device at a branch, for the first time or anew. */
export async function putTill(db: Db, row: typeof till.$inferInsert): Promise<void> {
  const { name, namedBy, namedAt } = row
  await db
    .insert(till)
    .values(row)
    .onConflictDoUpdate({ target: [till.branchId, till.id], set: { name, namedBy, namedAt } })
}

/** What the till is called at this branch; its holds are made one after the other until the transaction ends. */
export async function lockTill(tx: Db, branchId: string, id: string): Promise<string | undefined> {
  const [found] = await tx
    .select({ name: till.name })
    .from(till)
    .where(and(eq(till.branchId, branchId), eq(till.id, id)))
    .for('no key update')
    .prepare('lock_till')
    .execute()
  return found?.name
}
