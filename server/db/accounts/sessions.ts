import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { appUser, type EndedReason, session } from '../schema.ts'
import { isPastLimits } from '../sessionState.ts'

export type NewSession = typeof session.$inferInsert

/** Begins a session; its user was here. */
export async function insertSession(db: Db, row: NewSession): Promise<void> {
  await db.insert(session).values(row)
  await db.update(appUser).set({ lastSignInAt: row.createdAt }).where(eq(appUser.id, row.userId))
}

/**
 * Ends what lives of this user, but for the session `except`. One that had run out already is not "superseded" or the like:
 * its owner was away. True when one was ended for this reason.
 */
export async function endSessions(
  tx: Db,
  userId: string,
  reason: Extract<EndedReason, 'superseded' | 'password_changed' | 'deactivated'>,
  now: Date,
  except?: string,
): Promise<boolean> {
  const at = `'${now.toISOString()}'::timestamptz`
  const ended = await tx.execute(sql`
    UPDATE session s
    SET ended_at = ${sql.raw(at)},
        ended_reason = CASE WHEN ${sql.raw(isPastLimits(at))} THEN 'expired' ELSE ${reason} END
    WHERE s.user_id = ${userId} AND s.ended_at IS NULL AND s.id IS DISTINCT FROM ${except ?? null}::uuid
    RETURNING s.ended_reason AS reason`)
  // The type leaves the driver open; both answer like this.
  return (ended as unknown as { rows: { reason: EndedReason }[] }).rows.some((one) => one.reason === reason)
}

/** Ends what lives of the login and the POS users of a branch. */
export async function endSessionsOfBranch(tx: Db, branchId: string, now: Date): Promise<void> {
  const users = await tx.select({ id: appUser.id }).from(appUser).where(eq(appUser.branchId, branchId))
  for (const { id } of users) await endSessions(tx, id, 'deactivated', now)
}

/** Ends one session; ending it twice keeps the first reason. */
export async function endSession(db: Db, id: string, reason: EndedReason, now: Date): Promise<void> {
  await db
    .update(session)
    .set({ endedAt: now, endedReason: reason })
    .where(and(eq(session.id, id), isNull(session.endedAt)))
}

/**
 * Why a session has ended, or `null`; one that lives goes on until the transaction ends. Whatever deactivates a user or a branch
 * ends its sessions too, so this row speaks for all of them.
 */
export async function lockSession(tx: Db, id: string): Promise<EndedReason | null> {
  const [found] = await tx
    .select({ reason: session.endedReason })
    .from(session)
    .where(eq(session.id, id))
    .for('share')
    .prepare('lock_session')
    .execute()
  return found?.reason ?? null
}

/** Replaces the token `from` by `to`. False when another request was quicker. */
export async function rotateToken(db: Db, id: string, from: string, to: string, now: Date): Promise<boolean> {
  const rotated = await db
    .update(session)
    .set({ jti: to, previousJti: from, rotatedAt: now, confirmedAt: null })
    .where(and(eq(session.id, id), eq(session.jti, from), isNull(session.endedAt)))
    .returning({ id: session.id })
  return rotated.length === 1
}

/** Writes down that the person was active at `activeAt`, and that the token `jti` is in use, if it is the current one. */
export async function touchSession(db: Db, id: string, jti: string, activeAt: Date, now: Date): Promise<void> {
  await db
    .update(session)
    .set({
      lastActiveAt: sql`greatest(${session.lastActiveAt}, ${activeAt.toISOString()}::timestamptz)`,
      confirmedAt: sql`CASE WHEN ${session.jti} = ${jti}::uuid
        THEN coalesce(${session.confirmedAt}, ${now.toISOString()}::timestamptz) ELSE ${session.confirmedAt} END`,
    })
    .where(and(eq(session.id, id), isNull(session.endedAt)))
}
