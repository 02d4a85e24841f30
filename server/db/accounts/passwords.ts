import { and, count, eq, gt, isNull, lte } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { type LinkKind, passwordLink } from '../schema.ts'

/** How long a link is good, in minutes: a reset link half an hour, an activation link a week. */
export const LINK_MINUTES: Record<LinkKind, number> = { reset: 30, activation: 7 * 24 * 60 }
/** Reset links an account may be mailed within an hour (cases AUT-23). */
const RESETS_PER_HOUR = 3

const minutes = (amount: number) => amount * 60_000

/** Whether this user had its reset links of the hour. The caller holds the user row, so that simultaneous requests are counted one after the other. */
export async function resetLimitReached(tx: Db, userId: string, now: Date): Promise<boolean> {
  const hourAgo = new Date(now.getTime() - minutes(60))
  const ofTheHour = and(
    eq(passwordLink.userId, userId),
    eq(passwordLink.kind, 'reset'),
    gt(passwordLink.createdAt, hourAgo),
  )
  const [recent] = await tx.select({ links: count() }).from(passwordLink).where(ofTheHour)
  return (recent?.links ?? 0) >= RESETS_PER_HOUR
}

/** Makes the link good, and every earlier one of this user bad. */
export async function insertLink(
  tx: Db,
  link: { userId: string; kind: LinkKind; tokenHash: string },
  now: Date,
): Promise<void> {
  const hourAgo = new Date(now.getTime() - minutes(60))
  const isOld = and(lte(passwordLink.createdAt, hourAgo), lte(passwordLink.expiresAt, now))
  await tx.delete(passwordLink).where(and(eq(passwordLink.userId, link.userId), isOld))
  await supersedeLinks(tx, link.userId)
  await insertFirstLinks(tx, [link], now)
}

/** Links of users that have none yet. */
export async function insertFirstLinks(
  tx: Db,
  links: { userId: string; kind: LinkKind; tokenHash: string }[],
  now: Date,
): Promise<void> {
  if (links.length === 0) return
  const expiryOf = (kind: LinkKind) => new Date(now.getTime() + minutes(LINK_MINUTES[kind]))
  await tx.insert(passwordLink).values(
    links.map(({ userId, kind, tokenHash }) => ({
      userId,
      kind,
      tokenHash,
      createdAt: now,
      expiresAt: expiryOf(kind),
    })),
  )
}

const isUsable = (kind: LinkKind, tokenHash: string, now: Date) =>
  and(
    eq(passwordLink.tokenHash, tokenHash),
    eq(passwordLink.kind, kind),
    isNull(passwordLink.usedAt),
    eq(passwordLink.superseded, false),
    gt(passwordLink.expiresAt, now),
  )

/** Whose link it is, if it is good. */
export async function findLink(db: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<string | undefined> {
  const [link] = await db
    .select({ userId: passwordLink.userId })
    .from(passwordLink)
    .where(isUsable(kind, tokenHash, now))
  return link?.userId
}

/** True the first time, for a link that is good. */
export async function consumeLink(tx: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(passwordLink)
    .set({ usedAt: now })
    .where(isUsable(kind, tokenHash, now))
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
