import { and, desc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher, allowanceCount, allowanceGrant, branchAllowance } from '../schema/allowance.ts'
import { branch, organisation } from '../schema/organisations.ts'
import { till } from '../schema/redemptions.ts'
import { within, type Scope } from '../Scope.ts'

// What the tills of a branch may accept without a check, and how much of it is out (decision 0092).

/** What decides whether a branch may have an allowance, beside its rules as they are stored. */
export async function findAllowanceOf(db: Db, branchId: string) {
  const [found] = await db
    .select({
      organisationId: branch.organisationId,
      status: sql<AccountStatus>`CASE WHEN ${branch.status} = 'Active' THEN ${organisation.status} ELSE ${branch.status} END`,
      fromDay: branch.fromDay,
      toDay: branch.toDay,
      verificationMethod: organisation.verificationMethod,
      rules: branchAllowance.rules,
      changedAt: branchAllowance.changedAt,
      changedBy: branchAllowance.changedBy,
    })
    .from(branch)
    .innerJoin(organisation, eq(organisation.id, branch.organisationId))
    .leftJoin(branchAllowance, eq(branchAllowance.branchId, branch.id))
    .where(eq(branch.id, branchId))
  return found
}

export async function putAllowance(tx: Db, row: typeof branchAllowance.$inferInsert): Promise<void> {
  const { branchId: _, ...set } = row
  await tx.insert(branchAllowance).values(row).onConflictDoUpdate({ target: branchAllowance.branchId, set })
}

/** Tills of a branch that are enrolled and in use. */
export const countEnrolledTills = (db: Db, branchId: string): Promise<number> =>
  db.$count(till, and(eq(till.branchId, branchId), sql`${till.enrolledAt} IS NOT NULL`, isNull(till.revokedAt)))

/** A device, as one organisation knows it. */
interface DeviceOf {
  organisationId: string
  tillId: string
}

const countOfDevice = ({ organisationId, tillId }: DeviceOf) =>
  and(eq(allowanceCount.organisationId, organisationId), eq(allowanceCount.tillId, tillId))

/** The count of a device, which nobody else changes until the transaction ends; made with what the device says where there is none. */
export async function lockCount(tx: Db, device: DeviceOf, said: number, now: Date) {
  await tx
    .insert(allowanceCount)
    .values({ ...device, baseCents: said, countedCents: said, beganAt: now })
    .onConflictDoNothing()
  const [found] = await tx.select().from(allowanceCount).where(countOfDevice(device)).for('no key update')
  return found!
}

/** Counts anew from what the device says. */
export async function restartCount(tx: Db, device: DeviceOf, said: number, now: Date): Promise<void> {
  await tx
    .update(allowanceCount)
    .set({ baseCents: said, countedCents: said, beganAt: now })
    .where(countOfDevice(device))
}

/** Something of the device has arrived. What was accepted before the count began is in it already. */
export async function addToCount(tx: Db, device: DeviceOf, totalCents: number, cents: number): Promise<void> {
  await tx
    .update(allowanceCount)
    .set({ countedCents: sql`${allowanceCount.countedCents} + ${cents}` })
    .where(and(countOfDevice(device), lt(allowanceCount.baseCents, totalCents)))
}

const isOutOf = ({ organisationId, tillId }: DeviceOf) =>
  and(
    eq(allowanceGrant.organisationId, organisationId),
    eq(allowanceGrant.tillId, tillId),
    isNull(allowanceGrant.replacedAt),
  )

/**
 * Grants of the device that are gone for good: those before the grant `before`, which the device has on its disk, or all. An id that is not
 * one of its own says nothing.
 */
export async function dropGrants(
  tx: Db,
  device: DeviceOf,
  which: { before: string } | 'all',
  now: Date,
): Promise<void> {
  const seen = which === 'all' ? undefined : await findGrant(tx, device, which.before)
  if (which !== 'all' && !seen) return
  await tx
    .update(allowanceGrant)
    .set({ replacedAt: now })
    .where(and(isOutOf(device), seen && lt(allowanceGrant.number, seen.number)))
}

/** Writes a grant down. One of the same till and branch that is no higher says nothing any more beside it. */
export async function insertGrant(tx: Db, grant: typeof allowanceGrant.$inferInsert, now: Date): Promise<void> {
  await tx
    .update(allowanceGrant)
    .set({ replacedAt: now })
    .where(
      and(
        isOutOf(grant),
        eq(allowanceGrant.branchId, grant.branchId),
        lte(allowanceGrant.totalCents, grant.totalCents),
      ),
    )
  await tx.insert(allowanceGrant).values(grant)
}

export async function findGrant(db: Db, { organisationId, tillId }: DeviceOf, id: string) {
  const [found] = await db
    .select()
    .from(allowanceGrant)
    .where(
      and(
        eq(allowanceGrant.id, id),
        eq(allowanceGrant.organisationId, organisationId),
        eq(allowanceGrant.tillId, tillId),
      ),
    )
  return found
}

export interface TillOut {
  guid: string
  tillId: string
  name: string
  cents: number
  endsAt: Date
}

/**
 * What is out at a branch, the most first, in one look: what each till may have accepted, or may still accept, that has not arrived. Of a
 * till that was revoked nothing: whoever revoked it was told how much it is. One that was moved may still use what it was granted here.
 */
export async function allowanceOut(
  db: Db,
  branchId: string,
  startOfToday: Date,
): Promise<{ acceptedToday: number; tills: TillOut[] }> {
  const today = sql<number>`(SELECT coalesce(sum(${acceptedVoucher.cents}), 0)::float8 FROM ${acceptedVoucher}
    WHERE ${and(eq(acceptedVoucher.branchId, branchId), sql`${acceptedVoucher.arrivedAt} >= ${startOfToday.toISOString()}::timestamptz`)})`
  const found = await db
    .select({
      today,
      guid: till.guid,
      tillId: till.id,
      name: till.name,
      cents: openCents,
      endsAt: sql<Date>`max(${allowanceGrant.endsAt})`.mapWith(allowanceGrant.endsAt),
    })
    .from(branch)
    .leftJoin(allowanceGrant, and(eq(allowanceGrant.branchId, branch.id), isNull(allowanceGrant.replacedAt), isInUse))
    .leftJoin(till, eq(till.guid, allowanceGrant.tillGuid))
    .leftJoin(allowanceCount, itsCount)
    .where(eq(branch.id, branchId))
    .groupBy(till.guid, till.id, till.name)
    .orderBy(desc(openCents), till.name)
  const tills = found.flatMap(({ guid, tillId, name, cents, endsAt }) =>
    guid === null || tillId === null || name === null || cents === 0 ? [] : [{ guid, tillId, name, cents, endsAt }],
  )
  return { acceptedToday: found[0]?.today ?? 0, tills }
}

const openCents = sql<number>`greatest(max(${allowanceGrant.totalCents}) - max(${allowanceCount.countedCents}), 0)::float8`

const isInUse = sql`EXISTS (SELECT FROM till AS t
  WHERE t.guid = ${allowanceGrant.tillGuid} AND (t.revoked_at IS NULL OR t.moved_to IS NOT NULL))`

const itsCount = and(
  eq(allowanceCount.organisationId, allowanceGrant.organisationId),
  eq(allowanceCount.tillId, allowanceGrant.tillId),
)

/** What a till may have accepted, or may still accept, that has not arrived: what whoever revokes it has to know. */
export async function outOfTill(db: Db, scope: Scope, guid: string): Promise<number> {
  const [found] = await db
    .select({
      cents: openCents,
    })
    .from(allowanceGrant)
    .innerJoin(allowanceCount, itsCount)
    .where(
      and(
        within(scope, allowanceGrant.organisationId, allowanceGrant.branchId),
        eq(allowanceGrant.tillGuid, guid),
        isNull(allowanceGrant.replacedAt),
      ),
    )
  return found?.cents ?? 0
}
