import { and, desc, eq, notInArray } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { knownDevice } from './schema.ts'

const DEVICES_KEPT = 20

/** Remembers that this user has signed in with a browser. Answers whether it is the first one ever, a new one, or known. */
export async function rememberDevice(
  tx: Db,
  userId: string,
  tokenHash: string,
  now: Date,
): Promise<'first' | 'new' | 'known'> {
  const known = await tx.select().from(knownDevice).where(eq(knownDevice.userId, userId))
  await tx
    .insert(knownDevice)
    .values({ userId, tokenHash, seenAt: now })
    .onConflictDoUpdate({ target: [knownDevice.userId, knownDevice.tokenHash], set: { seenAt: now } })
  await forgetOldDevices(tx, userId)
  if (known.length === 0) return 'first'
  return known.some((device) => device.tokenHash === tokenHash) ? 'known' : 'new'
}

async function forgetOldDevices(tx: Db, userId: string): Promise<void> {
  const latest = tx
    .select({ tokenHash: knownDevice.tokenHash })
    .from(knownDevice)
    .where(eq(knownDevice.userId, userId))
    .orderBy(desc(knownDevice.seenAt), desc(knownDevice.tokenHash))
    .limit(DEVICES_KEPT)
  await tx.delete(knownDevice).where(and(eq(knownDevice.userId, userId), notInArray(knownDevice.tokenHash, latest)))
}
