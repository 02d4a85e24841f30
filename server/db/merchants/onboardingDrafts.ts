import { eq, lte, sql } from 'drizzle-orm'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db } from '../engine/Database.ts'
import { sweepRows } from '../engine/sweepRows.ts'
import { onboardingDraft } from '../schema/merchants.ts'

export type DraftRow = typeof onboardingDraft.$inferSelect

export async function findDraft(db: Db, organisationId: string): Promise<DraftRow | undefined> {
  const [row] = await db.select().from(onboardingDraft).where(eq(onboardingDraft.organisationId, organisationId))
  return row
}

/** Stores the draft in place of the organisation's last one, and returns its new revision. The caller has locked the organisation. */
export async function putDraft(tx: Db, row: Omit<DraftRow, 'revision'>): Promise<number> {
  const [stored] = await tx
    .insert(onboardingDraft)
    .values(row)
    .onConflictDoUpdate({ target: onboardingDraft.organisationId, set: { ...row, revision: sql`DEFAULT` } })
    .returning({ revision: onboardingDraft.revision })
  return stored!.revision
}

export async function removeDraft(tx: Db, organisationId: string): Promise<void> {
  await tx.delete(onboardingDraft).where(eq(onboardingDraft.organisationId, organisationId))
}

/** Deletes drafts that nobody has changed for LIMITS.draftDays. */
export async function sweepDrafts(db: Db, now: Date): Promise<void> {
  const until = new Date(now.getTime() - LIMITS.draftDays * 86_400_000)
  await sweepRows(db, onboardingDraft, onboardingDraft.organisationId, lte(onboardingDraft.savedAt, until))
}
