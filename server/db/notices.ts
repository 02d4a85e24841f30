import { and, eq, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { noticeRead } from './schema/accounts.ts'

/** The keys of the notices that the person has read. */
export async function keysRead(db: Db, userId: string): Promise<string[]> {
  const rows = await db.select({ key: noticeRead.key }).from(noticeRead).where(eq(noticeRead.userId, userId))
  return rows.map(({ key }) => key)
}

/** Of the same key twice, the first reading stays. */
export async function insertKeysRead(tx: Db, userId: string, keys: string[], at: Date): Promise<void> {
  await tx
    .insert(noticeRead)
    .values(keys.map((key) => ({ userId, key, at })))
    .onConflictDoNothing()
}

/** Keeps the newest `most` of a person, and none from before `since`: the notices themselves are gone by then. */
export async function dropOldKeys(tx: Db, userId: string, since: Date, most: number): Promise<void> {
  const newest = sql`
    SELECT n.key FROM notice_read n WHERE n.user_id = ${userId} AND n.at >= ${since.toISOString()}
    ORDER BY n.at DESC, n.key LIMIT ${most}`
  await tx.delete(noticeRead).where(and(eq(noticeRead.userId, userId), sql`${noticeRead.key} NOT IN (${newest})`))
}
