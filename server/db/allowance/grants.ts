import { and, desc, eq, gte, isNull, max, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher, allowanceCount, allowanceGrant, branchAllowance } from '../schema/allowance.ts'
import { branch, organisation } from '../schema/organisations.ts'
import { till } from '../schema/redemptions.ts'

// The amounts that the tills of a branch may accept without a check, and how much of them is still open (decision 0092).

/** Reads everything that decides if a branch may have an allowance, and its stored rules. */
export async function findAllowanceOf(db: Db, branchId: string) {
  const [found] = await db
    .select({
      organisationId: branch.organisationId,
      status: sql<AccountStatus>`CASE WHEN ${branch.status} = 'Active' THEN ${organisation.status} ELSE ${branch.status} END`,
      fromDay: branch.fromDay,
      toDay: branch.toDay,
      verificationMethod: organisation.verificationMethod,
      rules: branchAllowance.rules,
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

/** A device of one organisation; `key` is the hash of the token in its cookie. */
export interface OrganisationDevice {
  organisationId: string
  tillId: string
  key: string
}

/**
 * Returns the cents that the server has counted for the device, and stores the total that the device reports. The row is locked until the
 * transaction ends. A new count begins with the device's total.
 */
export async function lockCount(tx: Db, device: OrganisationDevice, reportedCents: number): Promise<number> {
  const { organisationId, tillId, key, countedCents } = allowanceCount
  const [found] = await tx
    .insert(allowanceCount)
    .values({ ...device, countedCents: reportedCents, reportedCents })
    .onConflictDoUpdate({ target: [organisationId, tillId, key], set: { reportedCents } })
    .returning({ countedCents })
  return found!.countedCents
}

/** Adds cents that arrived from the device. Returns false, and counts nothing, above the highest total that the device was ever granted. */
export async function addToCount(tx: Db, device: OrganisationDevice, cents: number): Promise<boolean> {
  const { organisationId, tillId, key, countedCents } = allowanceCount
  const newTotal = sql`${countedCents} + ${cents}`
  const granted = tx
    .select({ most: max(allowanceGrant.totalCents) })
    .from(allowanceGrant)
    .where(isGrantOf(device))
  const counted = await tx
    .update(allowanceCount)
    .set({ countedCents: newTotal })
    .where(
      and(
        eq(organisationId, device.organisationId),
        eq(tillId, device.tillId),
        eq(key, device.key),
        sql`${newTotal} <= (${granted})`,
      ),
    )
    .returning({ key })
  return counted.length > 0
}

const isGrantOf = ({ organisationId, tillId, key }: OrganisationDevice) =>
  and(eq(allowanceGrant.organisationId, organisationId), eq(allowanceGrant.tillId, tillId), eq(allowanceGrant.key, key))

/** Ends every earlier grant of the device, which now has the grant `id` on its disk. An id of another device ends nothing. */
export async function endEarlierGrants(tx: Db, device: OrganisationDevice, id: string, now: Date): Promise<void> {
  const storedNumber = tx
    .select({ number: allowanceGrant.number })
    .from(allowanceGrant)
    .where(and(isGrantOf(device), eq(allowanceGrant.id, id)))
  await tx
    .update(allowanceGrant)
    .set({ closedAt: now })
    .where(and(isGrantOf(device), isNull(allowanceGrant.closedAt), sql`${allowanceGrant.number} < (${storedNumber})`))
}

export async function insertGrant(tx: Db, grant: typeof allowanceGrant.$inferInsert): Promise<void> {
  await tx.insert(allowanceGrant).values(grant)
}

/**
 * Ends all grants of a till that is being revoked, including those from branches where the till worked before. The person who revokes the till was
 * told how much is still open.
 */
export async function endGrantsOfTill(tx: Db, tillGuid: string, now: Date): Promise<void> {
  await tx
    .update(allowanceGrant)
    .set({ closedAt: now })
    .from(till)
    .where(and(eq(till.guid, tillGuid), isOfTill, isNull(allowanceGrant.closedAt)))
}

/** True for a grant of the till, or of the same device at another branch. */
const isOfTill = sql`(${allowanceGrant.tillGuid} = ${till.guid} OR ${allowanceGrant.tillId} = ${till.id}
  AND ${allowanceGrant.key} = ${till.tokenHash}
  AND ${allowanceGrant.organisationId} = (SELECT organisation_id FROM branch WHERE id = ${till.branchId}))`

export type StoredGrant = typeof allowanceGrant.$inferSelect

/** Finds a grant, ended or not. */
export async function findGrantById(db: Db, id: string): Promise<StoredGrant | undefined> {
  const [found] = await db.select().from(allowanceGrant).where(eq(allowanceGrant.id, id))
  return found
}

/** The amount that one till of a branch may have accepted, or may still accept, and has not uploaded. */
export interface OpenAllowance {
  guid: string
  name: string
  /** Identifies the device at the time of the grant: a tablet that was enrolled again has another key. Null without a grant. */
  key: string | null
  cents: number
  endsAt: Date | null
  why: 'not enrolled' | 'count behind' | null
}

/**
 * Reads the open amount of each till at a branch, the largest first: what the till may have accepted, or may still accept, and has not uploaded. A
 * till that was moved away may still use its grants of this branch. If a device uploaded more than it was granted, the excess does not reduce the
 * amounts of other devices.
 */
export async function readOpenAllowance(
  db: Db,
  branchId: string,
  startOfToday: Date,
): Promise<{ acceptedToday: number; tills: OpenAllowance[] }> {
  const today = sql<number>`(SELECT coalesce(sum(cents), 0)::float8 FROM ${acceptedVoucher}
    WHERE ${and(eq(acceptedVoucher.branchId, branchId), gte(acceptedVoucher.arrivedAt, startOfToday))}
      AND reason IS DISTINCT FROM 'over the limit')`
  const found = await db
    .select({
      today,
      guid: till.guid,
      name: till.name,
      key: allowanceGrant.key,
      cents: openCents,
      endsAt: max(allowanceGrant.endsAt),
      why: whyTillHasNone,
    })
    .from(branch)
    .leftJoin(till, eq(till.branchId, branch.id))
    .leftJoin(
      allowanceGrant,
      and(eq(allowanceGrant.tillGuid, till.guid), eq(allowanceGrant.branchId, branch.id), isOut),
    )
    .leftJoin(allowanceCount, countOfGrant)
    .where(eq(branch.id, branchId))
    .groupBy(branch.id, till.branchId, till.id, allowanceGrant.key)
    .orderBy(desc(openCents), till.name)
  const tills = found.flatMap(({ guid, name, ...out }) =>
    guid === null || name === null || (out.cents === 0 && out.why === null) ? [] : [{ guid, name, ...out }],
  )
  return { acceptedToday: found[0]?.today ?? 0, tills }
}

/** Why a till in use gets no grant while other tills of its branch do. */
const whyTillHasNone = sql<OpenAllowance['why']>`CASE
  WHEN num_nonnulls(${till.revokedAt}, ${till.movedTo}, ${till.removedAt}) > 0 THEN NULL
  WHEN ${till.enrolledAt} IS NULL THEN 'not enrolled'
  WHEN EXISTS (SELECT FROM allowance_count AS c WHERE c.organisation_id = ${branch.organisationId}
    AND c.till_id = ${till.id} AND c.key = ${till.tokenHash} AND c.reported_cents < c.counted_cents) THEN 'count behind'
  END`

const countOfGrant = and(
  eq(allowanceCount.organisationId, allowanceGrant.organisationId),
  eq(allowanceCount.tillId, allowanceGrant.tillId),
  eq(allowanceCount.key, allowanceGrant.key),
)

/** The open cents of one device: its highest grant minus what the server has counted. */
const openCents = sql<number>`greatest(max(${allowanceGrant.totalCents}) - max(${allowanceCount.countedCents}), 0)::float8`

const isOut = isNull(allowanceGrant.closedAt)

/** The open cents of a row of `till`, shown to the person who revokes the till. */
export const openCentsOfTill = sql<number>`(
  SELECT coalesce(sum(o.cents), 0)::float8
  FROM (SELECT ${openCents} AS cents FROM ${allowanceGrant} JOIN ${allowanceCount} ON ${countOfGrant}
    WHERE ${isOfTill} AND ${isOut} GROUP BY ${allowanceGrant.key}) AS o)`
