import { and, asc, eq, gt, gte, inArray, isNull, max, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { voucher, voucherKey } from '../schema/vouchers.ts'

export type StoredVoucherKey = typeof voucherKey.$inferSelect

/** Lists all keys, ended ones included, the oldest first. */
export const listVoucherKeys = (db: Db): Promise<StoredVoucherKey[]> =>
  db.select().from(voucherKey).orderBy(asc(voucherKey.id))

export async function findVoucherKey(db: Db, id: number): Promise<StoredVoucherKey | undefined> {
  const [found] = await db.select().from(voucherKey).where(eq(voucherKey.id, id))
  return found
}

/** Finds the key that is neither rotated nor ended. */
export async function findSigningKey(db: Db): Promise<StoredVoucherKey | undefined> {
  const [found] = await db
    .select()
    .from(voucherKey)
    .where(and(isNull(voucherKey.rotatedAt), isNull(voucherKey.endedAt)))
  return found
}

/** Locks the keys: transactions that make, rotate or end keys run one after the other. */
export const lockVoucherKeys = (tx: Db): Promise<unknown> => tx.execute(sql`LOCK TABLE voucher_key IN EXCLUSIVE MODE`)

/** Returns the next id. Ids begin at 1 and are never reused. The caller has locked the keys. */
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

const isSpent = (today: string) => and(inArray(voucher.status, ['Used', 'Revoked']), gte(voucher.expiresOn, today))

/** Counts spent vouchers that are not expired on `today`. */
export const countSpent = (db: Db, today: string): Promise<number> => db.$count(voucher, isSpent(today))

/** Larger pages take more memory and time. */
const SERIALS_PER_QUERY = 20_000

/** Yields serials of vouchers that are used or revoked and not expired on `today`, a page at a time. */
export async function* spentSerials(db: Db, today: string): AsyncGenerator<string[], void, void> {
  let last = ''
  for (;;) {
    const rows = await db
      .select({ serial: voucher.serial })
      .from(voucher)
      .where(and(gt(voucher.serial, last), isSpent(today)))
      .orderBy(asc(voucher.serial))
      .limit(SERIALS_PER_QUERY)
    if (rows.length === 0) return
    yield rows.map(({ serial }) => serial)
    last = rows.at(-1)!.serial
  }
}
