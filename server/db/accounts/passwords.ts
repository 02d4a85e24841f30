import { and, count, desc, eq, gt, inArray, isNull, lte, notInArray, sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../engine/Database.ts'
import { passwordHistory, passwordLink, passwordNonce, type LinkKind } from '../schema/accounts.ts'
import { appUser } from '../schema/organisations.ts'
import { insertForUser, type LoginUser } from './loginUsers.ts'

/** How long a link is good, in minutes: a reset link half an hour, one for a new address a day, an activation link a week. */
export const LINK_MINUTES: Record<LinkKind, number> = { reset: 30, email: 24 * 60, activation: 7 * 24 * 60 }

/** What a new password makes useless. */
export const PASSWORD_LINKS: readonly LinkKind[] = ['reset', 'activation']

/** Reset links an account may be mailed within an hour (AUT-23). */
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

interface NewLink {
  userId: string
  kind: LinkKind
  tokenHash: string
  email?: string
}

/**
 * Makes the link good, if there is such a user, and every earlier one for the same purpose bad. Anybody may ask for a reset link:
 * it must not end the one that confirms a new address.
 */
export async function insertLink(tx: Db, link: NewLink, now: Date): Promise<void> {
  const hourAgo = new Date(now.getTime() - minutes(60))
  const isOld = and(lte(passwordLink.createdAt, hourAgo), lte(passwordLink.expiresAt, now))
  await tx.delete(passwordLink).where(and(eq(passwordLink.userId, link.userId), isOld))
  await supersedeLinks(tx, link.userId, link.kind === 'email' ? ['email'] : PASSWORD_LINKS)
  await insertForUser(tx, passwordLink, link.userId, rowOf(link, now))
}

const rowOf = (link: NewLink, now: Date) => ({
  ...link,
  createdAt: now,
  expiresAt: new Date(now.getTime() + minutes(LINK_MINUTES[link.kind])),
})

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

/** Whose link it is and to which address the login moves, if it is good. */
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

/** True the first time, for a link that is good. */
export async function consumeLink(tx: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(passwordLink)
    .set({ usedAt: now })
    .where(isUsable(kind, tokenHash, now))
    .returning({ userId: passwordLink.userId })
  return used.length === 1
}

/** No link of this user is good any more, or none of these kinds. */
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

/** With the current one they are the last three, none of which may come again (rule 3.5). */
const FORMER_PASSWORDS = 2

const latestFormer = (db: Db, userId: string) =>
  db
    .select({ id: passwordHistory.id })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
    // The clock may stand still; ids never go backwards within a process.
    .orderBy(desc(passwordHistory.changedAt), desc(passwordHistory.id))
    .limit(FORMER_PASSWORDS)

/** Hashes of the passwords before the current one that may not come again. */
export async function formerHashes(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ passwordHash: passwordHistory.passwordHash })
    .from(passwordHistory)
    .where(eq(passwordHistory.userId, userId))
  return rows.map(({ passwordHash }) => passwordHash)
}

interface NewPassword {
  passwordHash: string
  /** Somebody else set it. */
  mustChangePassword: boolean
}

/** Makes it the password of `user`; the one it had goes into the history, and what is too old for it goes away. */
export async function replacePassword(tx: Db, user: LoginUser, password: NewPassword, now: Date): Promise<void> {
  const { passwordHash, passwordChangedAt: changedAt } = user
  if (passwordHash !== null && changedAt !== null) {
    await tx.insert(passwordHistory).values({ id: uuidv7(), userId: user.id, passwordHash, changedAt })
  }
  await tx
    .delete(passwordHistory)
    .where(and(eq(passwordHistory.userId, user.id), notInArray(passwordHistory.id, latestFormer(tx, user.id))))
  await tx
    .update(appUser)
    .set({ ...password, passwordChangedAt: now })
    .where(eq(appUser.id, user.id))
}

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

/** When the activation link that the account still waits with was mailed; null once it was used. `account` is its alias. */
export const invitedAt = (account: 'app_user' | 'login'): SQL<Date | null> =>
  sql<Date | null>`(
    SELECT max(l.created_at) FROM password_link l
    WHERE l.user_id = ${sql.raw(account)}.id AND l.kind = 'activation' AND l.used_at IS NULL AND NOT l.superseded
  )`.mapWith(passwordLink.createdAt) as SQL<Date | null>
