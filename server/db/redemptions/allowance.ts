import { and, desc, eq, gte, isNull, lt, lte, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher, allowanceCount, allowanceGrant, branchAllowance } from '../schema/allowance.ts'
import { branch, organisation } from '../schema/organisations.ts'
import { till } from '../schema/redemptions.ts'

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

/** A device, as one organisation knows it; `key` is the hash of the token in its cookie. */
export interface DeviceOf {
  organisationId: string
  tillId: string
  key: string
}

const countOfDevice = ({ organisationId, tillId, key }: DeviceOf) =>
  and(eq(allowanceCount.organisationId, organisationId), eq(allowanceCount.tillId, tillId), eq(allowanceCount.key, key))

/**
 * How much of all that the device has ever accepted the server knows; nobody else changes it until the transaction ends. It begins with what
 * the device says.
 */
export async function lockCount(tx: Db, device: DeviceOf, said: number): Promise<number> {
  await tx
    .insert(allowanceCount)
    .values({ ...device, baseCents: said, countedCents: said })
    .onConflictDoNothing()
  const [found] = await tx.select().from(allowanceCount).where(countOfDevice(device)).for('no key update')
  return found!.countedCents
}

/** What arrives of the device is counted one after the other, until the transaction ends. One without a count was granted nothing. */
export async function waitForCount(tx: Db, device: DeviceOf): Promise<void> {
  await tx.select({ key: allowanceCount.key }).from(allowanceCount).where(countOfDevice(device)).for('no key update')
}

/**
 * Something of the device has arrived. What was accepted before the count began is in it already; what it was never granted does not count.
 */
export async function addToCount(
  tx: Db,
  grant: DeviceOf & Pick<StoredGrant, 'totalCents'>,
  row: { totalCents: number; cents: number },
): Promise<void> {
  await tx
    .update(allowanceCount)
    .set({
      countedCents: sql`greatest(${allowanceCount.countedCents},
        least(${allowanceCount.countedCents} + ${row.cents}, ${grant.totalCents}))`,
    })
    .where(and(countOfDevice(grant), lt(allowanceCount.baseCents, row.totalCents)))
}

const isOf = ({ organisationId, tillId, key }: DeviceOf) =>
  and(eq(allowanceGrant.organisationId, organisationId), eq(allowanceGrant.tillId, tillId), eq(allowanceGrant.key, key))

/** The device has the grant `id` on its disk, so that every earlier one is gone for good. An id that is not one of its own says nothing. */
export async function dropGrantsBefore(tx: Db, device: DeviceOf, id: string, now: Date): Promise<void> {
  const held = await findGrant(tx, device, id)
  if (!held) return
  await tx
    .update(allowanceGrant)
    .set({ replacedAt: now })
    .where(and(isOf(device), isNull(allowanceGrant.replacedAt), lt(allowanceGrant.number, held.number)))
}

/** Writes a grant down. One of the same device and branch that is no higher says nothing any more beside it. */
export async function insertGrant(tx: Db, grant: typeof allowanceGrant.$inferInsert, now: Date): Promise<void> {
  await tx
    .update(allowanceGrant)
    .set({ replacedAt: now })
    .where(
      and(
        isOf(grant),
        isNull(allowanceGrant.replacedAt),
        eq(allowanceGrant.branchId, grant.branchId),
        lte(allowanceGrant.totalCents, grant.totalCents),
      ),
    )
  await tx.insert(allowanceGrant).values(grant)
}

/**
 * What is out at a till counts no more, nor what it was granted at branches where it worked before: it is being revoked, and whoever does it
 * knows how much that is.
 */
export async function freeGrants(tx: Db, tillGuid: string, now: Date): Promise<void> {
  await tx
    .update(allowanceGrant)
    .set({ freedAt: now })
    .from(till)
    .where(and(eq(till.guid, tillGuid), isOfTill, isNull(allowanceGrant.replacedAt)))
}

/** A grant of the till, or of the same device at another branch. */
const isOfTill = sql`(${allowanceGrant.tillGuid} = ${till.guid} OR ${allowanceGrant.tillId} = ${till.id}
  AND ${allowanceGrant.key} = ${till.tokenHash}
  AND ${allowanceGrant.organisationId} = (SELECT organisation_id FROM branch WHERE id = ${till.branchId}))`

export type StoredGrant = typeof allowanceGrant.$inferSelect

/** A grant of the device, whatever became of it. */
async function findGrant(db: Db, device: DeviceOf, id: string) {
  const [found] = await db
    .select()
    .from(allowanceGrant)
    .where(and(eq(allowanceGrant.id, id), isOf(device)))
  return found
}

/** Any grant, whatever became of it. */
export async function findGrantById(db: Db, id: string): Promise<StoredGrant | undefined> {
  const [found] = await db.select().from(allowanceGrant).where(eq(allowanceGrant.id, id))
  return found
}

export interface TillOut {
  guid: string
  name: string
  /** Of the device that it was then: a tablet that was enrolled anew is another. */
  key: string
  isCurrent: boolean
  cents: number
  endsAt: Date
}

/**
 * What is out at a branch, the most first, in one look: what each till may have accepted, or may still accept, that has not arrived. A till
 * that was moved may still use what it was granted here.
 */
export async function allowanceOut(
  db: Db,
  branchId: string,
  startOfToday: Date,
): Promise<{ acceptedToday: number; tills: TillOut[] }> {
  // Of each grant no more than a till is ever granted at once.
  const today = sql<number>`(SELECT coalesce(sum(least(a.cents, g.till_cents)), 0)::float8
    FROM (SELECT grant_id, sum(cents) AS cents FROM ${acceptedVoucher}
      WHERE ${and(eq(acceptedVoucher.branchId, branchId), gte(acceptedVoucher.arrivedAt, startOfToday))} GROUP BY grant_id) AS a
    JOIN allowance_grant AS g ON g.id = a.grant_id)`
  const found = await db
    .select({
      today,
      guid: till.guid,
      name: till.name,
      key: allowanceGrant.key,
      // One that was moved has its cookie at the other branch.
      isCurrent: sql<boolean>`coalesce(${allowanceGrant.key} = max(${till.tokenHash}), true)`,
      cents: openCents,
      endsAt: sql<Date>`max(${allowanceGrant.endsAt})`.mapWith(allowanceGrant.endsAt),
    })
    .from(branch)
    .leftJoin(allowanceGrant, and(eq(allowanceGrant.branchId, branch.id), isOut))
    .leftJoin(till, eq(till.guid, allowanceGrant.tillGuid))
    .leftJoin(allowanceCount, itsCount)
    .where(eq(branch.id, branchId))
    .groupBy(till.guid, till.name, allowanceGrant.key)
    .orderBy(desc(openCents), till.name)
  const tills = found.flatMap(({ guid, name, key, isCurrent, cents, endsAt }) =>
    guid === null || name === null || key === null || cents === 0
      ? []
      : [{ guid, name, key, isCurrent, cents, endsAt }],
  )
  return { acceptedToday: found[0]?.today ?? 0, tills }
}

/** What is above its grant, or does not fit into it, was never out: it is left to a person, and takes nothing from the others. */
const itsCount = and(
  eq(allowanceCount.organisationId, allowanceGrant.organisationId),
  eq(allowanceCount.tillId, allowanceGrant.tillId),
  eq(allowanceCount.key, allowanceGrant.key),
)

/** Of one device: the highest that it was ever granted, without what the server knows. */
const openCents = sql<number>`greatest(max(${allowanceGrant.totalCents}) - max(${allowanceCount.countedCents}), 0)::float8`

const isOut = and(isNull(allowanceGrant.replacedAt), isNull(allowanceGrant.freedAt))!

/** The same of a row of `till`: what whoever revokes it has to know. */
export const allowanceOutOfTill = sql<number>`(
  SELECT coalesce(sum(o.cents), 0)::float8
  FROM (SELECT ${openCents} AS cents FROM ${allowanceGrant} JOIN ${allowanceCount} ON ${itsCount}
    WHERE ${isOfTill} AND ${isOut} GROUP BY ${allowanceGrant.key}) AS o)`
