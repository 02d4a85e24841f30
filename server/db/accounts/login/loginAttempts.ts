import { and, desc, eq, inArray, isNull, like, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../engine/Database.ts'
import { sweepRows } from '../../engine/sweepRows.ts'
import { loginAttempt } from '../../schema/accounts.ts'

/** How many failures in a row make an account name wait. */
const FREE_FAILURES = 5
/** Waiting times from the fifth failure on; the last one repeats. Never more than 15 minutes (AUT-05). */
const WAIT_SECONDS = [30, 60, 120, 240, 480, 900] as const
/** An attempt that takes longer has died with its process, and counts as failed. */
const LEASE_SECONDS = 30

export type Reservation = { result: 'go' } | { result: 'blocked'; until: Date } | { result: 'busy' }

/**
 * Reserves one password check for an account name, in one atomic statement. Attempts under way count like failures, so fifty at once get no more
 * checks than fifty in a row. Returns `busy` when so many are under way that a wait would begin if all of them failed: ask again shortly.
 */
export async function reserveAttempt(db: Db, account: string, now: Date): Promise<Reservation> {
  const at = sql`${now.toISOString()}::timestamptz`
  const lost = sql`CASE WHEN ${loginAttempt.pendingSince} < ${at} - make_interval(secs => ${sql.raw(String(LEASE_SECONDS))})
    THEN ${loginAttempt.pending} ELSE 0 END`
  const failures = sql`(${loginAttempt.failures} + ${lost})`
  const [row] = await db
    .insert(loginAttempt)
    .values({ account, failures: 0, pending: 1, pendingSince: now })
    .onConflictDoUpdate({
      target: loginAttempt.account,
      set: { failures, pending: sql`${loginAttempt.pending} - ${lost} + 1`, pendingSince: now },
      setWhere: sql`coalesce(${loginAttempt.blockedUntil} <= ${at}, true)
        AND ${failures} + ${loginAttempt.pending} - ${lost} < greatest(${sql.raw(String(FREE_FAILURES))}, ${failures} + 1)`,
    })
    .returning({ account: loginAttempt.account })
  return row ? { result: 'go' } : await blockOf(db, account, now)
}

async function blockOf(db: Db, account: string, now: Date): Promise<Reservation> {
  const [row] = await db.select().from(loginAttempt).where(eq(loginAttempt.account, account))
  const until = row?.blockedUntil
  return until && until > now ? { result: 'blocked', until } : { result: 'busy' }
}

/** True if this account name has to wait now. */
export async function isBlocked(db: Db, account: string, now: Date): Promise<boolean> {
  return (await blockOf(db, account, now)).result === 'blocked'
}

/** Records that the reserved attempt failed. From the fifth failure on the wait grows. */
export async function attemptFailed(db: Db, account: string, now: Date): Promise<void> {
  const overLimit = sql`${loginAttempt.failures} + 1 - ${sql.raw(String(FREE_FAILURES))}`
  const waits = sql.raw(`ARRAY[${WAIT_SECONDS.join(', ')}]`)
  await db
    .update(loginAttempt)
    .set({
      pending: sql`greatest(${loginAttempt.pending} - 1, 0)`,
      failures: sql`${loginAttempt.failures} + 1`,
      blockedUntil: sql`CASE WHEN ${overLimit} >= 0 THEN ${now.toISOString()}::timestamptz
        + make_interval(secs => (${waits})[least(${overLimit}, ${sql.raw(String(WAIT_SECONDS.length - 1))}) + 1]) END`,
    })
    .where(eq(loginAttempt.account, account))
}

/** Records that the password was right, and clears the failures. Other attempts under way still count. */
export async function attemptSucceeded(db: Db, account: string): Promise<void> {
  await db
    .update(loginAttempt)
    .set({ pending: sql`greatest(${loginAttempt.pending} - 1, 0)`, failures: 0, blockedUntil: null })
    .where(eq(loginAttempt.account, account))
}

/** Takes an attempt back when the password was not checked. */
export async function attemptCancelled(db: Db, account: string): Promise<void> {
  await db
    .update(loginAttempt)
    .set({ pending: sql`greatest(${loginAttempt.pending} - 1, 0)` })
    .where(eq(loginAttempt.account, account))
}

/** Clears the failures of these account names after a password change: they concern the old password. */
export async function forgetAttempts(tx: Db, accounts: string[]): Promise<void> {
  await tx.delete(loginAttempt).where(inArray(loginAttempt.account, accounts))
}

/** How long failures in a row are remembered after the last attempt. */
const SILENCE_MS = 24 * 3_600_000

/**
 * How many login names are kept, because anybody may invent names. Other counts need no limit: there are only so many users, devices and branches.
 */
const NAMES_KEPT = 100_000

/** Deletes names without an attempt for a day. Above NAMES_KEPT, also deletes names with the oldest attempts, but never a block in force. */
export async function sweepAttempts(db: Db, now: Date): Promise<void> {
  const isSilent = lt(loginAttempt.pendingSince, new Date(now.getTime() - SILENCE_MS))
  const isFree = or(isNull(loginAttempt.blockedUntil), lte(loginAttempt.blockedUntil, now))
  await sweepRows(db, loginAttempt, loginAttempt.account, and(isSilent, isFree))
  const isName = or(like(loginAttempt.account, 'merchant:%'), like(loginAttempt.account, 'pos:%'))
  const [last] = await db
    .select({ since: loginAttempt.pendingSince })
    .from(loginAttempt)
    .where(isName)
    .orderBy(desc(loginAttempt.pendingSince))
    .offset(NAMES_KEPT)
    .limit(1)
  if (!last) return
  await sweepRows(
    db,
    loginAttempt,
    loginAttempt.account,
    and(isName, isFree, lte(loginAttempt.pendingSince, last.since)),
  )
}
