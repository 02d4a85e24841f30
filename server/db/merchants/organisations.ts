import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import type { Db } from '../engine/Database.ts'
import { ownAddress } from '../reports/monthlySummaries.ts'
import { appUser, branch, organisation } from '../schema/organisations.ts'

export type OrganisationRow = typeof organisation.$inferSelect
type NewOrganisation = Pick<OrganisationRow, 'name' | 'type' | 'status'> &
  Partial<Pick<OrganisationRow, 'creditTermsDays'>>

/** Creates an organisation with the next free merchant number. Returns its id. */
export async function insertOrganisation(tx: Db, given: NewOrganisation): Promise<string> {
  const id = uuidv7()
  for (;;) {
    const made = await tx
      .insert(organisation)
      .values({ ...given, id, merchantId: sql`nextval('merchant_no')::text` })
      .onConflictDoNothing({ target: organisation.merchantId })
      .returning({ id: organisation.id })
    if (made.length === 1) return id
  }
}

/** Reopens the organisation and account of a rejected application, with the data of a new application. */
export async function reopenMerchant(
  tx: Db,
  { id, organisationId }: { id: string; organisationId: string },
  given: NewOrganisation,
  type: UserType,
): Promise<void> {
  await tx.update(organisation).set(given).where(eq(organisation.id, organisationId))
  await tx.update(appUser).set({ type, status: given.status }).where(eq(appUser.id, id))
}

export async function hasOrganisations(db: Db): Promise<boolean> {
  const [found] = await db.select({ id: organisation.id }).from(organisation).limit(1)
  return found !== undefined
}

export async function findOrganisation(db: Db, id: string): Promise<OrganisationRow | undefined> {
  const [found] = await db.select().from(organisation).where(eq(organisation.id, id))
  return found
}

export async function findOrganisationByNumber(db: Db, merchantId: string): Promise<OrganisationRow | undefined> {
  const [found] = await db.select().from(organisation).where(eq(organisation.merchantId, merchantId))
  return found
}

/** Locks the organisation until the transaction ends: its submissions and the decisions about them run one after the other. */
export async function lockOrganisation(tx: Db, id: string): Promise<OrganisationRow | undefined> {
  const [found] = await tx.select().from(organisation).where(eq(organisation.id, id)).for('no key update')
  return found
}

/** Changes the status of an organisation, unless it is no longer `from`. */
export async function changeOrganisationStatus(
  tx: Db,
  id: string,
  from: AccountStatus,
  to: AccountStatus,
): Promise<void> {
  await tx
    .update(organisation)
    .set({ status: to })
    .where(and(eq(organisation.id, id), eq(organisation.status, from)))
}

/** Reads the caller's own account with its organisation, so there is no scope. */
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

/** Sets `values` and increments the revision. The caller has locked the row. */
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

/** Records when an organisation first practised. The revision stays, because no form shows `practisedAt`. */
export async function markPractised(db: Db, id: string, practisedAt: Date): Promise<void> {
  await db
    .update(organisation)
    .set({ practisedAt })
    .where(and(eq(organisation.id, id), isNull(organisation.practisedAt)))
}

const MAIN_TYPES = ['HRP Merchant', 'ADHOC Merchant'] as const
const isMainOf = (organisationId: string) =>
  and(eq(appUser.organisationId, organisationId), inArray(appUser.type, MAIN_TYPES))

export interface MainAccount {
  id: string
  loginName: string
}

export async function findMainAccount(db: Db, organisationId: string): Promise<MainAccount | undefined> {
  const [found] = await db
    .select({ id: appUser.id, loginName: appUser.loginName })
    .from(appUser)
    .where(isMainOf(organisationId))
  return found
}

/**
 * Sets the status of an organisation and of its main account. A deactivated main account stays deactivated. `accountStatus` differs from `status`
 * when the account still has a step to take that the organisation has not.
 */
export async function setOrganisationStatus(
  tx: Db,
  organisationId: string,
  status: AccountStatus,
  accountStatus: AccountStatus = status,
): Promise<void> {
  await tx.update(organisation).set({ status }).where(eq(organisation.id, organisationId))
  await tx
    .update(appUser)
    .set({ status: accountStatus })
    .where(and(isMainOf(organisationId), ne(appUser.status, 'Inactive')))
}
