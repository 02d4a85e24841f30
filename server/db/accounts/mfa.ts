import { and, eq, gt, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { mfa, mfaSetup, recoveryCode } from '../schema/accounts.ts'

/** Reads the active authenticator app, if there is one. */
export async function findMfa(db: Db, userId: string) {
  const [found] = await db.select().from(mfa).where(eq(mfa.userId, userId))
  return found
}

/** Reads the facts for my_info: when the app was activated, and how many recovery codes are left. */
export async function findMfaFacts(db: Db, userId: string) {
  const codesLeft = db.$count(recoveryCode, eq(recoveryCode.userId, userId))
  const [found] = await db.select({ enabledAt: mfa.enabledAt, codesLeft }).from(mfa).where(eq(mfa.userId, userId))
  return found
}

/** Activates an authenticator app and replaces any other. */
export async function saveMfa(tx: Db, row: typeof mfa.$inferInsert): Promise<void> {
  const { sealedSecret, lastStep, enabledAt } = row
  await tx
    .insert(mfa)
    .values(row)
    .onConflictDoUpdate({ target: mfa.userId, set: { sealedSecret, lastStep, enabledAt } })
}

/** Uses up a time step. Returns true once for a step, and false for every earlier step, so that a code seen over a shoulder is useless. */
export async function consumeStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const taken = await tx
    .update(mfa)
    .set({ lastStep: step })
    .where(and(eq(mfa.userId, userId), lt(mfa.lastStep, step)))
    .returning({ userId: mfa.userId })
  return taken.length === 1
}

/** Deletes the authenticator app with its recovery codes. Returns false when there was none. */
export async function removeMfa(tx: Db, userId: string): Promise<boolean> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  const removed = await tx.delete(mfa).where(eq(mfa.userId, userId)).returning({ userId: mfa.userId })
  return removed.length === 1
}

const SETUP_MINUTES = 10

const MAX_SETUP_FAILURES = 5

/** The challenge or session that a setup belongs to; the setup ends with it. */
export type SetupOrigin = { challengeHash: string } | { sessionId: string }

type NewSetup = { tokenHash: string; userId: string; sealedSecret: string } & SetupOrigin

const isOfOrigin = (origin: SetupOrigin) =>
  'sessionId' in origin ? eq(mfaSetup.sessionId, origin.sessionId) : eq(mfaSetup.challengeHash, origin.challengeHash)

const isOpen = (tokenHash: string, now: Date) =>
  and(eq(mfaSetup.tokenHash, tokenHash), gt(mfaSetup.expiresAt, now), lt(mfaSetup.failures, MAX_SETUP_FAILURES))

/**
 * Moves an open setup of the user to another origin, and deletes an earlier setup of that origin. The time limit does not start again. Returns
 * `undefined` when the setup is not open. The caller has locked the user row.
 */
export async function moveSetup(
  tx: Db,
  { tokenHash, userId }: Pick<NewSetup, 'tokenHash' | 'userId'>,
  origin: SetupOrigin,
  now: Date,
) {
  const isOpenOfUser = and(isOpen(tokenHash, now), eq(mfaSetup.userId, userId))
  if ((await tx.$count(mfaSetup, isOpenOfUser)) === 0) return undefined
  await tx.delete(mfaSetup).where(and(isOfOrigin(origin), ne(mfaSetup.tokenHash, tokenHash)))
  const [moved] = await tx
    .update(mfaSetup)
    .set({ challengeHash: null, sessionId: null, ...origin })
    .where(isOpenOfUser)
    .returning()
  return moved
}

/** Stores a setup for ten minutes, in place of an earlier one of the same origin. Returns when it expires. The caller has locked the user row. */
export async function insertSetup(tx: Db, setup: NewSetup, now: Date): Promise<Date> {
  const isEarlier = isOfOrigin(setup)
  const isOver = or(lte(mfaSetup.expiresAt, now), isEarlier)
  await tx.delete(mfaSetup).where(and(eq(mfaSetup.userId, setup.userId), isOver))
  const expiresAt = new Date(now.getTime() + SETUP_MINUTES * 60_000)
  await tx.insert(mfaSetup).values({ ...setup, expiresAt })
  return expiresAt
}

export async function findSetup(db: Db, tokenHash: string, now: Date) {
  const [found] = await db.select().from(mfaSetup).where(isOpen(tokenHash, now))
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

/** Replaces the recovery codes: the earlier ones stop working. */
export async function replaceRecoveryCodes(tx: Db, userId: string, codeHashes: string[]): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  await tx.insert(recoveryCode).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
}

/** Uses up a recovery code. Returns true once for each code. */
export async function consumeRecoveryCode(tx: Db, userId: string, codeHash: string): Promise<boolean> {
  const taken = await tx
    .delete(recoveryCode)
    .where(and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash)))
    .returning({ userId: recoveryCode.userId })
  return taken.length === 1
}
