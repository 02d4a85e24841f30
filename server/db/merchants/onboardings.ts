import { and, asc, eq, inArray, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { Onboarding } from '../../../src/contract/merchants/onboarding.ts'
import type { Db } from '../engine/Database.ts'
import { onboarding, productServiceCategory } from '../schema/merchants.ts'
import { organisation } from '../schema/organisations.ts'

export interface StoredOnboarding {
  data: Onboarding
  submittedAt: Date
}

/** Reads the organisation's last submission. */
export async function findOnboarding(db: Db, organisationId: string): Promise<StoredOnboarding | undefined> {
  const [row] = await db.select().from(onboarding).where(eq(onboarding.organisationId, organisationId))
  return row && { data: v.parse(Onboarding, row.data), submittedAt: row.submittedAt }
}

/** Stores a submission in place of the organisation's last one. */
export async function putOnboarding(
  tx: Db,
  { organisationId, userId }: { organisationId: string; userId: string },
  data: Onboarding,
  now: Date,
): Promise<void> {
  const row = { uen: data.uen, data, submittedAt: now, submittedBy: userId }
  await tx
    .insert(onboarding)
    .values({ organisationId, ...row })
    .onConflictDoUpdate({ target: onboarding.organisationId, set: row })
}

/** Finds other organisations that have submitted this company registration number. */
export const othersWithUen = (db: Db, uen: string, organisationId: string) =>
  db
    .select({ merchantId: organisation.merchantId, name: organisation.name })
    .from(onboarding)
    .innerJoin(organisation, eq(organisation.id, onboarding.organisationId))
    .where(and(eq(onboarding.uen, uen), ne(onboarding.organisationId, organisationId)))
    .orderBy(asc(organisation.merchantId))

const columns = { guid: productServiceCategory.id, name: productServiceCategory.name }

export const listCategories = (db: Db) =>
  db.select(columns).from(productServiceCategory).orderBy(asc(productServiceCategory.position))

/** Finds the categories among `guids` that exist, in the order of the list. */
export const findCategories = (db: Db, guids: string[]) =>
  db
    .select(columns)
    .from(productServiceCategory)
    .where(inArray(productServiceCategory.id, guids))
    .orderBy(asc(productServiceCategory.position))
