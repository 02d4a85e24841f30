import { eq } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { rescueKey } from '../schema/redemptions.ts'

export type StoredRescueKey = typeof rescueKey.$inferSelect

export async function findRescueKey(db: Db, organisationId: string): Promise<StoredRescueKey | undefined> {
  const [found] = await db.select().from(rescueKey).where(eq(rescueKey.organisationId, organisationId))
  return found
}

/**
 * Gives an organisation this key where it has none, or where it still has `instead`, and resolves to the key it has then: another call
 * may have been quicker.
 */
export async function putRescueKey(db: Db, row: StoredRescueKey, instead = ''): Promise<StoredRescueKey> {
  const { organisationId, ...set } = row
  await db
    .insert(rescueKey)
    .values(row)
    .onConflictDoUpdate({ target: rescueKey.organisationId, set, setWhere: eq(rescueKey.kid, instead) })
  const kept = await findRescueKey(db, organisationId)
  if (!kept) throw new TypeError('a rescue key that was put is there')
  return kept
}
