import { and, eq, gt, lte } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { passwordNonce } from './schema.ts'

/** Keeps `nonce` until `expiresAt`, and sweeps out those nobody used. */
export async function saveNonce(db: Db, nonce: string, expiresAt: Date, now: Date): Promise<void> {
  await db.delete(passwordNonce).where(lte(passwordNonce.expiresAt, now))
  await db.insert(passwordNonce).values({ nonce, expiresAt })
}

/** True the first time, for a nonce that is ours and has not expired. */
export async function consumeNonce(db: Db, nonce: string, now: Date): Promise<boolean> {
  const taken = await db
    .delete(passwordNonce)
    .where(and(eq(passwordNonce.nonce, nonce), gt(passwordNonce.expiresAt, now)))
    .returning({ nonce: passwordNonce.nonce })
  return taken.length === 1
}
