import { and, count, desc, eq, gt, inArray, isNull, lte, notInArray, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../engine/Database.ts'
import { passwordHistory, passwordLink, passwordNonce, type LinkKind } from '../schema/accounts.ts'
import { appUser } from '../schema/organisations.ts'
import { insertForUser, type LoginUser } from './loginUsers.ts'

/** How long a link is valid, in minutes: a reset link half an hour, a link for a new address a day, an activation link a week. */
export const LINK_MINUTES: Record<LinkKind, number> = { reset: 30, email: 24 * 60, activation: 7 * 24 * 60 }

/** The kinds of links that a new password invalidates. */
export const PASSWORD_LINKS: readonly LinkKind[] = ['reset', 'activation']

/** How many reset links an account may be mailed within an hour (AUT-23). */
const RESETS_PER_HOUR = 3

const minutesToMs = (amount: number) => amount * 60_000

/**
 * True if the user was mailed all reset links that an hour allows. The caller has locked the user row, so simultaneous requests are counted one after
 * the other.
 */
export async function hasReachedResetLimit(tx: Db, userId: string, now: Date): Promise<boolean> {
  const hourAgo = new Date(now.getTime() - minutesToMs(60))
  const isRecent = and(
    eq(passwordLink.userId, userId),
    eq(passwordLink.kind, 'reset'),
    gt(passwordLink.createdAt, hourAgo),
  )
  const [recent] = await tx.select({ links: count() }).from(passwordLink).where(isRecent)
  return (recent?.links ?? 0) >= RESETS_PER_HOUR
}

interface NewLink {
  userId: string
  kind: LinkKind
  tokenHash: string
  email?: string
}

/**
 * Stores a link if the user exists, and invalidates earlier links for the same purpose. Anybody may ask for a reset link, so it must not invalidate
 * the link that confirms a new address.
 */
export async function insertLink(tx: Db, link: NewLink, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - minutesToMs(60))
  const isOld = and(lte(passwordLink.createdAt, hourAgo), lte(passwordLink.expiresAt, now))
  await tx.delete(passwordLink).where(and(eq(passwordLink.userId, link.userId), isOld))
  await supersedeLinks(tx, link.userId, link.kind === 'email' ? ['email'] : PASSWORD_LINKS)
  await insertForUser(tx, passwordLink, link.userId, rowOf(link, now))
}

const rowOf = (link: NewLink, now: Date) => ({
  ...link,
  createdAt: now,
  expiresAt: new Date(now.getTime() + minutesToMs(LINK_MINUTES[link.kind])),
})

const isUsable = (kind: LinkKind, tokenHash: string, now: Date) =>
  and(
    eq(passwordLink.tokenHash, tokenHash),
    eq(passwordLink.kind, kind),
    isNull(passwordLink.usedAt),
    eq(passwordLink.superseded, false),
    gt(passwordLink.expiresAt, now),
  )

/** Returns the id of the user of a valid link. */
export async function findLink(db: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<string | undefined> {
  const [link] = await db
    .select({ userId: passwordLink.userId })
    .from(passwordLink)
    .where(isUsable(kind, tokenHash, now))
  return link?.userId
}

/** Returns the id of the user of a valid link, and the new address of their login. */
export async function findEmailLink(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<{ userId: string; email: string } | undefined> {
  const [link] = await db
    .select({ userId: passwordLink.userId, email: passwordLink.email })
    .from(passwordLink)
    .where(isUsable('email', tokenHash, now))
  return link && link.email !== null ? { userId: link.userId, email: link.email } : undefined
}

/** Uses up a link. Returns true the first time, if the link is valid. */
export async function consumeLink(tx: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(passwordLink)
    .set({ usedAt: now })
    .where(isUsable(kind, tokenHash, now))
    .returning({ userId: passwordLink.userId })
  return used.length === 1
}

/** Invalidates the links of the user: all of them, or only those of the given kinds. */
export async function supersedeLinks(tx: Db, userId: string, kinds?: readonly LinkKind[]): Promise<void> {
  await tx
    .update(passwordLink)
    .set({ superseded: true })
    .where(
      and(
        eq(passwordLink.userId, userId),
        isNull(passwordLink.usedAt),
        kinds && inArray(passwordLink.kind, [...kinds]),
      ),
    )
}

/** How many earlier passwords are kept. Like the current one, they may not be used again (rule 3.5). */
const FORMER_PASSWORDS = 2

const latestFormerIds = (db: Db, userId: string) =>
  db
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    // Two changes may have the same time, but ids never go backwards within a process.
    .orderBy(desc(passwordHistory.changedAt), desc(passwordHistory.id))
    .limit(FORMER_PASSWORDS)

/** Reads the hashes of the earlier passwords that may not be used again. */
export async function formerHashes(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ passwordHash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
  return rows.map(({ passwordHash }) => passwordHash)
}

interface NewPassword {
  passwordHash: string
  /** True if another person set it. */
  mustChangePassword: boolean
}

/** Sets the password of `user`. The old one goes into the history, which keeps the latest ones. */
export async function replacePassword(tx: Db, user: LoginUser, password: NewPassword, now: Date): Promise<void> {
  const { passwordHash, passwordChangedAt: changedAt } = user
  if (passwordHash !== null && changedAt !== null) {
    await tx.insert(passwordHistory).values({ id: uuidv7(), userId: user.id, passwordHash, changedAt })
  }
  await tx
    .delete(passwordHistory)
    .where(and(eq(passwordHistory.userId, user.id), notInArray(passwordHistory.id, latestFormerIds(tx, user.id))))
  await tx
    .update(appUser)
    .set({ ...password, passwordChangedAt: now })
    .where(eq(appUser.id, user.id))
}

/** Keeps `nonce` until `expiresAt`, and deletes expired ones. */
export async function saveNonce(db: Db, nonce: string, expiresAt: Date, now: Date): Promise<void> {
  await db.delete(passwordNonce).where(lte(passwordNonce.expiresAt, now))
  await db.insert(passwordNonce).values({ nonce, expiresAt })
}

/** Uses up a nonce. Returns true the first time, if the nonce is from this portal and has not expired. */
export async function consumeNonce(db: Db, nonce: string, now: Date): Promise<boolean> {
  const taken = await db
    .delete(passwordNonce)
    .where(and(eq(passwordNonce.nonce, nonce), gt(passwordNonce.expiresAt, now)))
    .returning({ nonce: passwordNonce.nonce })
  return taken.length === 1
}

/** SQL: when the unused activation link of the account was mailed; null without a link. `account` is the alias of the table. */
export const invitedAt = (account: 'app_user' | 'login'): SQL<Date | null> =>
  sql<Date | null>`(
    SELECT max(l.created_at) FROM password_link l
    WHERE l.user_id = ${sql.raw(account)}.id AND l.kind = 'activation' AND l.used_at IS NULL AND NOT l.superseded
  )`.mapWith(passwordLink.createdAt) as SQL<Date | null>
