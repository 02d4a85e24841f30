import { and, asc, eq, isNull, max, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { voucherKey } from '../schema/vouchers.ts'

export type StoredVoucherKey = typeof voucherKey.$inferSelect

/** All there ever were, the oldest first. */
export const listVoucherKeys = (db: Db): Promise<StoredVoucherKey[]> =>
  db.select().from(voucherKey).orderBy(asc(voucherKey.id))

export async function findVoucherKey(db: Db, id: number): Promise<StoredVoucherKey | undefined> {
  const [found] = await db.select().from(voucherKey).where(eq(voucherKey.id, id))
  return found
}

/** The one that is neither rotated nor ended. */
export async function findSigningKey(db: Db): Promise<StoredVoucherKey | undefined> {
  const [found] = await db
    .select()
    .from(voucherKey)
    .where(and(isNull(voucherKey.rotatedAt), isNull(voucherKey.endedAt)))
  return found
}

/** One after the other: who makes, rotates or ends keys waits here until the transaction before is over. */
export const lockVoucherKeys = (tx: Db): Promise<unknown> => tx.execute(sql`LOCK TABLE voucher_key IN EXCLUSIVE MODE`)

/** Ids begin at 1, and none comes twice. The caller has locked the keys. */
export async function nextVoucherKeyId(tx: Db): Promise<number> {
  const [found] = await tx.select({ last: max(voucherKey.id) }).from(voucherKey)
  return (found?.last ?? 0) + 1
}

export async function insertVoucherKey(
  tx: Db,
  key: Pick<StoredVoucherKey, 'id' | 'publicKey' | 'sealedPrivateKey' | 'madeAt'>,
): Promise<void> {
  await tx.insert(voucherKey).values(key)
}

export async function closeVoucherKey(
  tx: Db,
  id: number,
  closed: { rotatedAt: Date } | { endedAt: Date },
): Promise<void> {
  await tx.update(voucherKey).set(closed).where(eq(voucherKey.id, id))
}
