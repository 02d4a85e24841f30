import { and, eq, gt, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { mfaSetup } from './schema.ts'

const SETUP_MINUTES = 10
const SETUP_FAILURES = 5

/** What a setup began with, and cannot outlive. */
export type SetupOrigin = { challengeHash: string } | { sessionId: string }
export type NewSetup = { tokenHash: string; userId: string; sealedSecret: string } & SetupOrigin

/**
 * Keeps a secret for ten minutes, in the place of an earlier one of the same origin. Answers until when. The caller holds the
 * user row.
 */
export async function insertSetup(tx: Db, setup: NewSetup, now: Date): Promise<Date> {
  const isEarlier =
    'sessionId' in setup ? eq(mfaSetup.sessionId, setup.sessionId) : eq(mfaSetup.challengeHash, setup.challengeHash)
  const isOver = or(lte(mfaSetup.expiresAt, now), isEarlier)
  await tx.delete(mfaSetup).where(and(eq(mfaSetup.userId, setup.userId), isOver))
  const expiresAt = new Date(now.getTime() + SETUP_MINUTES * 60_000)
  await tx.insert(mfaSetup).values({ ...setup, expiresAt })
  return expiresAt
}

export async function findSetup(db: Db, tokenHash: string, now: Date) {
  const [found] = await db
    .select()
    .from(mfaSetup)
    .where(and(eq(mfaSetup.tokenHash, tokenHash), gt(mfaSetup.expiresAt, now), lt(mfaSetup.failures, SETUP_FAILURES)))
  return found
}

export async function countWrongProof(tx: Db, tokenHash: string): Promise<void> {
  await tx
    .update(mfaSetup)
    .set({ failures: sql`${mfaSetup.failures} + 1` })
    .where(eq(mfaSetup.tokenHash, tokenHash))
}

export async function dropSetups(tx: Db, userId: string): Promise<void> {
  await tx.delete(mfaSetup).where(eq(mfaSetup.userId, userId))
}
