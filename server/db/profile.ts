import { eq, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { ownAddress } from './reports/monthlySummaries.ts'
import { appUser, branch, organisation } from './schema/organisations.ts'

/** The account of the caller with its organisation; its own, so there is no scope. */
export async function findProfile(db: Db, userId: string) {
  const [found] = await db
    .select({ account: appUser, organisation, branchName: branch.name, ownAddress })
    .from(appUser)
    .innerJoin(organisation, eq(organisation.id, appUser.organisationId))
    .leftJoin(branch, eq(branch.id, appUser.branchId))
    .where(eq(appUser.id, userId))
  return found
}
export type FoundProfile = NonNullable<Awaited<ReturnType<typeof findProfile>>>

/** Sets `values` and counts the revision on. The caller holds the row. */
export async function updateOrganisation(
  tx: Db,
  id: string,
  values: Partial<typeof organisation.$inferInsert>,
): Promise<void> {
  await tx
    .update(organisation)
    .set({ ...values, revision: sql`${organisation.revision} + 1` })
    .where(eq(organisation.id, id))
}
