import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { sweepRows } from './engine/sweepRows.ts'
import { enrolment } from './schema/devices.ts'
import { branch } from './schema/organisations.ts'
import { within, type Scope } from './Scope.ts'

type Enrolment = typeof enrolment.$inferSelect

export async function insertEnrolment(tx: Db, row: typeof enrolment.$inferInsert): Promise<void> {
  await tx.insert(enrolment).values(row)
}

export async function findEnrolment(db: Db, scope: Scope, id: string): Promise<Enrolment | undefined> {
  const [found] = await db
    .select({ enrolment })
    .from(enrolment)
    .innerJoin(branch, eq(branch.id, enrolment.branchId))
    .where(and(within(scope, branch.organisationId, branch.id), eq(enrolment.id, id)))
  return found?.enrolment
}

/** Uses up the code for this device. Returns `undefined` for a code of another branch, and for one that was used or has expired. */
export async function consumeEnrolment(
  tx: Db,
  { branchId, codeHash, tillId }: { branchId: string; codeHash: string; tillId: string },
  now: Date,
): Promise<Enrolment | undefined> {
  const [used] = await tx
    .update(enrolment)
    .set({ usedAt: now, tillId })
    .where(
      and(
        eq(enrolment.codeHash, codeHash),
        eq(enrolment.branchId, branchId),
        isNull(enrolment.usedAt),
        gt(enrolment.expiresAt, now),
      ),
    )
    .returning()
  return used
}

/** Finds the code that this device has used at the branch, if it has not expired. */
export async function findUsedEnrolment(
  db: Db,
  { branchId, codeHash, tillId }: { branchId: string; codeHash: string; tillId: string },
  now: Date,
): Promise<Enrolment | undefined> {
  const [found] = await db
    .select()
    .from(enrolment)
    .where(
      and(
        eq(enrolment.codeHash, codeHash),
        eq(enrolment.branchId, branchId),
        eq(enrolment.tillId, tillId),
        gt(enrolment.expiresAt, now),
      ),
    )
  return found
}

const KEPT_MS = 24 * 60 * 60 * 1_000

/** Deletes codes that expired more than a day ago, used or not. */
export const sweepEnrolments = (db: Db, now: Date): Promise<void> =>
  sweepRows(db, enrolment, enrolment.id, lt(enrolment.expiresAt, new Date(now.getTime() - KEPT_MS)))
