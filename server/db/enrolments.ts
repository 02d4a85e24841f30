import { and, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { sweepRows } from './engine/sweepRows.ts'
import { enrolment } from './schema/devices.ts'
import { appUser, branch } from './schema/organisations.ts'
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

interface SentCode {
  codeHash: string
  tillId: string
  /** The branch that the code must be for; undefined for any. */
  branchId: string | undefined
}

/** True for the code that was sent, until it expires. */
const isSentCode = ({ codeHash, branchId }: SentCode, now: Date) =>
  and(
    eq(enrolment.codeHash, codeHash),
    branchId === undefined ? undefined : eq(enrolment.branchId, branchId),
    gt(enrolment.expiresAt, now),
  )

/** Uses up the code for this device. Returns `undefined` for a code of another branch, and for one that was used or has expired. */
export async function consumeEnrolment(tx: Db, sent: SentCode, now: Date): Promise<Enrolment | undefined> {
  const [used] = await tx
    .update(enrolment)
    .set({ usedAt: now, tillId: sent.tillId })
    .where(and(isSentCode(sent, now), isNull(enrolment.usedAt)))
    .returning()
  return used
}

/** Finds the code that this device has used, if it has not expired. */
export async function findUsedEnrolment(db: Db, sent: SentCode, now: Date): Promise<Enrolment | undefined> {
  const [found] = await db
    .select()
    .from(enrolment)
    .where(and(isSentCode(sent, now), eq(enrolment.tillId, sent.tillId)))
  return found
}

/** Returns the branch of a code, and the manager who made it. */
export async function findEnrolmentOrigin(db: Db, id: string) {
  const [found] = await db
    .select({
      organisationId: branch.organisationId,
      branchName: branch.name,
      userId: appUser.id,
      loginName: appUser.loginName,
    })
    .from(enrolment)
    .innerJoin(branch, eq(branch.id, enrolment.branchId))
    .innerJoin(appUser, eq(appUser.id, enrolment.createdBy))
    .where(eq(enrolment.id, id))
  return found!
}

const KEPT_MS = 24 * 60 * 60 * 1_000

/** Deletes codes that expired more than a day ago, used or not. */
export const sweepEnrolments = (db: Db, now: Date): Promise<void> =>
  sweepRows(db, enrolment, enrolment.id, lt(enrolment.expiresAt, new Date(now.getTime() - KEPT_MS)))
