import { and, eq, lt } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { mfa, recoveryCode } from '../schema.ts'

/** The authenticator app in force, if there is one. */
export async function findMfa(db: Db, userId: string) {
  const [found] = await db.select().from(mfa).where(eq(mfa.userId, userId))
  return found
}

/** What my_info tells: since when, and how many recovery codes are left. */
export async function findMfaFacts(db: Db, userId: string) {
  const codesLeft = db.$count(recoveryCode, eq(recoveryCode.userId, userId))
  const [found] = await db.select({ enabledAt: mfa.enabledAt, codesLeft }).from(mfa).where(eq(mfa.userId, userId))
  return found
}

/** Puts an authenticator app in force, in the place of any other. */
export async function saveMfa(tx: Db, row: typeof mfa.$inferInsert): Promise<void> {
  const { sealedSecret, lastStep, enabledAt } = row
  await tx
    .insert(mfa)
    .values(row)
    .onConflictDoUpdate({ target: mfa.userId, set: { sealedSecret, lastStep, enabledAt } })
}

/** True once for a step, and never for one before it: a code that was seen over a shoulder is worth nothing. */
export async function consumeStep(tx: Db, userId: string, step: number): Promise<boolean> {
  const taken = await tx
    .update(mfa)
    .set({ lastStep: step })
    .where(and(eq(mfa.userId, userId), lt(mfa.lastStep, step)))
    .returning({ userId: mfa.userId })
  return taken.length === 1
}

/** With its recovery codes. False when there was none. */
export async function removeMfa(tx: Db, userId: string): Promise<boolean> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId))
  const removed = await tx.delete(mfa).where(eq(mfa.userId, userId)).returning({ userId: mfa.userId })
  return removed.length === 1
}
