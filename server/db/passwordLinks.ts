import { and, count, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Db } from './Database.ts'
import { passwordLink } from './schema.ts'

export const LINK_MINUTES = 30
/** Links an account may be mailed within an hour (cases AUT-23). */
const PER_HOUR = 3

const minutes = (amount: number) => amount * 60_000

/**
 * Makes the link good and every earlier one of this user bad. False when the user has had its links of this hour. The caller
 * holds the user row, so that simultaneous requests are counted one after the other.
 */
export async function insertLink(tx: Db, userId: string, tokenHash: string, now: Date): Promise<boolean> {
  const hourAgo = new Date(now.getTime() - minutes(60))
  await tx.delete(passwordLink).where(and(eq(passwordLink.userId, userId), lte(passwordLink.createdAt, hourAgo)))
  const [recent] = await tx.select({ links: count() }).from(passwordLink).where(eq(passwordLink.userId, userId))
  if (recent === undefined || recent.links >= PER_HOUR) return false
  await supersedeLinks(tx, userId)
  const expiresAt = new Date(now.getTime() + minutes(LINK_MINUTES))
  await tx.insert(passwordLink).values({ tokenHash, userId, createdAt: now, expiresAt })
  return true
}

const isGood = (tokenHash: string, now: Date) =>
  and(
    eq(passwordLink.tokenHash, tokenHash),
    isNull(passwordLink.usedAt),
    eq(passwordLink.superseded, false),
    gt(passwordLink.expiresAt, now),
  )

/** Whose link it is, if it is good. */
export async function findLink(db: Db, tokenHash: string, now: Date): Promise<string | undefined> {
  const [link] = await db.select({ userId: passwordLink.userId }).from(passwordLink).where(isGood(tokenHash, now))
  return link?.userId
}

/** True the first time, for a link that is good. */
export async function useLink(tx: Db, tokenHash: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(passwordLink)
    .set({ usedAt: now })
    .where(isGood(tokenHash, now))
    .returning({ userId: passwordLink.userId })
  return used.length === 1
}

/** No link of this user is good any more. */
export async function supersedeLinks(tx: Db, userId: string): Promise<void> {
  await tx
    .update(passwordLink)
    .set({ superseded: true })
    .where(and(eq(passwordLink.userId, userId), isNull(passwordLink.usedAt)))
}
