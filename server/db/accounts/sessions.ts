import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import type { VerificationMethod } from '../../../src/contract/profile.ts'
import type { Db, Statement } from '../engine/Database.ts'
import { WITHOUT_STANDBY } from '../engine/durability.ts'
import { session, type EndedReason } from '../schema/accounts.ts'
import { appUser } from '../schema/organisations.ts'

export type NewSession = typeof session.$inferInsert

/** Begins a session and records it as the user's last login. */
export async function insertSession(db: Db, row: NewSession): Promise<void> {
  await db.insert(session).values(row)
  await db.update(appUser).set({ lastLoginAt: row.createdAt }).where(eq(appUser.id, row.userId))
}

/**
 * Ends the user's sessions, except the session `except`. A session that had already expired gets the reason `expired`. Returns true if a session was
 * ended for `reason`.
 */
export async function endSessions(
  tx: Db,
  { userId, except }: { userId: string; except?: string | undefined },
  reason: Extract<EndedReason, 'superseded' | 'password_changed' | 'email_changed' | 'deactivated'>,
  now: Date,
): Promise<boolean> {
  const at = `'${now.toISOString()}'::timestamptz`
  const ended = await tx.execute(sql`
    UPDATE session s
    SET ended_at = ${sql.raw(at)},
        ended_reason = CASE WHEN ${sql.raw(isPastLimits(at))} THEN 'expired' ELSE ${reason} END
    WHERE s.user_id = ${userId} AND s.ended_at IS NULL AND s.id IS DISTINCT FROM ${except ?? null}::uuid
    RETURNING s.ended_reason AS reason`)
  // Drizzle's type does not say that the driver answers with rows.
  return (ended as unknown as { rows: { reason: EndedReason }[] }).rows.some((one) => one.reason === reason)
}

/** Ends the sessions of a branch's login and POS users. */
export async function endSessionsOfBranch(tx: Db, branchId: string, now: Date): Promise<void> {
  const users = await tx.select({ id: appUser.id }).from(appUser).where(eq(appUser.branchId, branchId))
  for (const { id } of users) await endSessions(tx, { userId: id }, 'deactivated', now)
}

/** Ends one session. A session that has ended keeps its reason. */
export async function endSession(db: Db, id: string, reason: EndedReason, now: Date): Promise<void> {
  await db
    .update(session)
    .set({ endedAt: now, endedReason: reason })
    .where(and(eq(session.id, id), isNull(session.endedAt)))
}

/** Replaces the token `from` with `to`. Returns false when another request has replaced it first. */
export async function rotateToken(
  db: Db,
  id: string,
  { from, to }: { from: string; to: string },
  now: Date,
): Promise<boolean> {
  const rotated = await db
    .update(session)
    .set({ jti: to, previousJti: from, rotatedAt: now, confirmedAt: null })
    .where(and(eq(session.id, id), eq(session.jti, from), isNull(session.endedAt)))
    .returning({ id: session.id })
  return rotated.length === 1
}

/**
 * Records that the person was active at `activeAt`, and that the token `jti` is in use, if it is the current one. The write may be lost with a
 * machine, so it does not wait for a standby. Calls that only read still work while the standby is away.
 */
export async function touchSession(
  db: Db,
  id: string,
  { jti, activeAt }: { jti: string; activeAt: Date },
  now: Date,
): Promise<void> {
  await db
    .update(session)
    .set({
      lastActiveAt: sql`greatest(${session.lastActiveAt}, ${activeAt.toISOString()}::timestamptz)`,
      confirmedAt: sql`CASE WHEN ${session.jti} = ${jti}::uuid
        THEN coalesce(${session.confirmedAt}, ${now.toISOString()}::timestamptz) ELSE ${session.confirmedAt} END`,
    })
    .where(and(eq(session.id, id), isNull(session.endedAt), WITHOUT_STANDBY))
}

/** How often a person's activity is recorded. The idle limit is longer by this time, so that no session ends too early. */
export const ACTIVITY_WRITE_SECONDS = 30

export type SessionState = 'live' | 'superseded' | 'ended' | 'expired'

/**
 * SQL: the state of a session. The tables are s (session), u (user), o (organisation) and b (branch, may be null). Every statement that judges a
 * session uses this text, so that they cannot disagree.
 */
export const sessionState = (now: string) => `
  CASE
    WHEN s.ended_reason = 'superseded' THEN 'superseded'
    WHEN s.ended_reason = 'expired' THEN 'expired'
    WHEN s.ended_at IS NOT NULL THEN 'ended'
    WHEN u.status IN ('Inactive', 'Pending') OR o.status = 'Inactive' OR b.status = 'Inactive' THEN 'ended'
    WHEN ${isPastLimits(now)} THEN 'expired'
    ELSE 'live'
  END`

/** SQL: true if the session is past its idle or absolute limit. */
const isPastLimits = (now: string) =>
  `(${now} >= s.ends_at OR ${now} > s.last_active_at + make_interval(secs => s.idle_seconds + ${ACTIVITY_WRITE_SECONDS}))`

/** SQL: true if the branch b trades on the Singapore day `today`: an adhoc branch from its first day to its last, both included. */
export const isBranchOpen = (today: string) => `coalesce(${today} BETWEEN b.from_day AND b.to_day, true)`

export interface SessionRow {
  session_id: string
  jti: string
  previous_jti: string | null
  confirmed_at: Date | null
  binding_hash: string
  idle_seconds: number
  last_active_at: Date
  ends_at: Date
  state: SessionState
  user_id: string
  type: UserType
  status: AccountStatus
  login_name: string
  password_changed_at: Date
  organisation_id: string
  organisation_name: string
  merchant_id: string
  verification_method: VerificationMethod
  branch_id: string | null
  branch_name: string | null
  /** The first and last day on which an adhoc branch trades, in Singapore. */
  branch_from: string | null
  branch_to: string | null
  /** The branches that this user manages as master, comma separated; null without any. */
  managed_branch_ids: string | null
}

/** Reads the session with everything a request needs to know about its user. It runs once per request, and finds all rows by their keys. */
export const SESSION_STATEMENT: Statement<[sessionId: string, now: Date], SessionRow> = {
  name: 'session',
  text: `
    SELECT s.id AS session_id, s.jti, s.previous_jti, s.confirmed_at, s.binding_hash, s.idle_seconds, s.last_active_at,
           s.ends_at, ${sessionState('$2::timestamptz')} AS state,
           u.id AS user_id, u.type, u.login_name, u.password_changed_at,
           -- An account can do no more than its organisation may.
           CASE WHEN u.status = 'Active' THEN o.status ELSE u.status END AS status,
           o.id AS organisation_id, o.name AS organisation_name, o.merchant_id, o.verification_method,
           b.id AS branch_id, b.name AS branch_name, b.from_day::text AS branch_from, b.to_day::text AS branch_to,
           (SELECT string_agg(m.id::text, ',') FROM branch m WHERE m.master_user_id = u.id) AS managed_branch_ids
    FROM session s
    JOIN app_user u ON u.id = s.user_id
    JOIN organisation o ON o.id = u.organisation_id
    LEFT JOIN branch b ON b.id = u.branch_id
    WHERE s.id = $1::uuid`,
}
