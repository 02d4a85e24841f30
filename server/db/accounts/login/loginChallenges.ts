import { and, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Challenge } from '../../../../src/contract/accounts/auth.ts'
import type { Db } from '../../engine/Database.ts'
import { loginChallenge } from '../../schema/accounts.ts'

const CHALLENGE_MINUTES = 10
/** How many wrong codes end a challenge (AUT-18). */
const MAX_FAILURES = 5

export interface OpenChallenge {
  tokenHash: string
  userId: string
  kind: Challenge
}

/** Opens a challenge for ten minutes, and deletes expired ones. The caller has locked the user row. */
export async function insertChallenge(tx: Db, challenge: OpenChallenge, now: Date): Promise<void> {
  // Rows that another transaction has locked are skipped: two sweeps must never wait for each other.
  const expired = tx
    .select({ tokenHash: loginChallenge.tokenHash })
    .from(loginChallenge)
    .where(lte(loginChallenge.expiresAt, now))
    .for('update', { skipLocked: true })
  await tx.delete(loginChallenge).where(inArray(loginChallenge.tokenHash, expired))
  const expiresAt = new Date(now.getTime() + CHALLENGE_MINUTES * 60_000)
  await tx.insert(loginChallenge).values({ ...challenge, expiresAt })
}

const isOpen = (kind: Challenge, tokenHash: string, now: Date) =>
  and(
    eq(loginChallenge.tokenHash, tokenHash),
    eq(loginChallenge.kind, kind),
    gt(loginChallenge.expiresAt, now),
    lt(loginChallenge.failures, MAX_FAILURES),
  )

/** Finds the user of an open challenge. */
export async function findUserOfChallenge(
  db: Db,
  kind: Challenge,
  tokenHash: string,
  now: Date,
): Promise<string | undefined> {
  const [found] = await db
    .select({ userId: loginChallenge.userId })
    .from(loginChallenge)
    .where(isOpen(kind, tokenHash, now))
  return found?.userId
}

/** Uses up a challenge. Returns true the first time, if the challenge is open. */
export async function consumeChallenge(tx: Db, kind: Challenge, tokenHash: string, now: Date): Promise<boolean> {
  const taken = await tx
    .delete(loginChallenge)
    .where(isOpen(kind, tokenHash, now))
    .returning({ userId: loginChallenge.userId })
  return taken.length === 1
}

export async function countWrongAnswer(tx: Db, tokenHash: string): Promise<void> {
  await tx
    .update(loginChallenge)
    .set({ failures: sql`${loginChallenge.failures} + 1` })
    .where(eq(loginChallenge.tokenHash, tokenHash))
}

/** Deletes this user's challenges: every half-finished login starts again. */
export async function dropChallenges(tx: Db, userId: string): Promise<void> {
  await tx.delete(loginChallenge).where(eq(loginChallenge.userId, userId))
}
