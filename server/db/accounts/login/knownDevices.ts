import { and, desc, eq, notInArray } from 'drizzle-orm'
import type { Db } from '../../engine/Database.ts'
import { knownDevice } from '../../schema/accounts.ts'
import { appUser, type LoginKind } from '../../schema/organisations.ts'

const DEVICES_KEPT = 20

/** Remembers that this user has logged in with a browser. Returns whether it is their first browser, a new one, or a known one. */
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

/** True if any user has logged in with this browser. Otherwise the cookie may be invented. */
export async function isKnownToAnybody(db: Db, tokenHash: string): Promise<boolean> {
  const [found] = await db
    .select({ userId: knownDevice.userId })
    .from(knownDevice)
    .where(eq(knownDevice.tokenHash, tokenHash))
    .limit(1)
  return found !== undefined
}

/** Finds the user of this login name, if they have logged in with this browser before. */
export async function findKnownDevice(
  db: Db,
  kind: LoginKind,
  loginName: string,
  tokenHash: string,
): Promise<string | undefined> {
  const [found] = await db
    .select({ userId: appUser.id })
    .from(appUser)
    .innerJoin(knownDevice, and(eq(knownDevice.userId, appUser.id), eq(knownDevice.tokenHash, tokenHash)))
    .where(and(eq(appUser.loginKind, kind), eq(appUser.loginName, loginName)))
    .prepare('known_device')
    .execute()
  return found?.userId
}

/** Reads the cookie hashes of all browsers that are known for this user. */
export async function devicesOf(db: Db, userId: string): Promise<string[]> {
  const known = await db.select().from(knownDevice).where(eq(knownDevice.userId, userId))
  return known.map(({ tokenHash }) => tokenHash)
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
