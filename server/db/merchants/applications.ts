import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import { MerchantApplication } from '../../../src/contract/merchants/application.ts'
import type { Db } from '../engine/Database.ts'
import { application } from '../schema/merchants.ts'

/** Stores an application. Returns false when one with this id already exists. */
export async function insertApplication(tx: Db, sent: MerchantApplication, now: Date): Promise<boolean> {
  const { id, email, terms_version: termsVersion } = sent
  const made = await tx
    .insert(application)
    .values({ id, email, data: sent, termsVersion, submittedAt: now })
    .onConflictDoNothing({ target: application.id })
    .returning({ id: application.id })
  return made.length === 1
}

export async function findApplication(db: Db, id: string): Promise<MerchantApplication | undefined> {
  const [row] = await db.select({ data: application.data }).from(application).where(eq(application.id, id))
  return row && v.parse(MerchantApplication, row.data)
}

/** Reads the ids of the applications whose accounts are not opened yet, oldest first. */
export async function waitingApplications(db: Db): Promise<string[]> {
  const rows = await db
    .select({ id: application.id })
    .from(application)
    .where(isNull(application.processedAt))
    .orderBy(asc(application.submittedAt))
  return rows.map(({ id }) => id)
}

/** Locks a waiting application for this transaction. Returns `undefined` when another transaction has locked or processed it. */
export async function claimApplication(tx: Db, id: string): Promise<MerchantApplication | undefined> {
  const [row] = await tx
    .select({ data: application.data })
    .from(application)
    .where(and(eq(application.id, id), isNull(application.processedAt)))
    .for('update', { skipLocked: true })
  return row && v.parse(MerchantApplication, row.data)
}

/** Marks an application as processed. `organisationId` is null if the email already had an account. */
export async function markApplicationProcessed(
  tx: Db,
  id: string,
  organisationId: string | null,
  now: Date,
): Promise<void> {
  await tx.update(application).set({ processedAt: now, organisationId }).where(eq(application.id, id))
}

/** Finds the application of an organisation; organisations that were added by hand have none. */
export async function applicationOf(db: Db, organisationId: string): Promise<MerchantApplication | undefined> {
  const [row] = await db
    .select({ data: application.data })
    .from(application)
    .where(eq(application.organisationId, organisationId))
    .orderBy(desc(application.submittedAt))
    .limit(1)
  return row && v.parse(MerchantApplication, row.data)
}
