import { and, asc, count, desc, eq, exists, gte, isNotNull, isNull, lt, sql, sum } from 'drizzle-orm'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../engine/Database.ts'
import { redemptionCondition, type RedemptionFilter } from '../redemptions/redemptions.ts'
import { appUser, branch, organisation } from '../schema/organisations.ts'
import { hold, redemption, till } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import { within, type Scope } from '../Scope.ts'

/** Sums redemptions by Singapore day; days without a redemption are absent. The filter must begin and end at midnight in Singapore. */
export async function sumsPerDay(db: Db, scope: Scope, filter: RedemptionFilter): Promise<Map<string, Sum>> {
  const days = await sumsPerSlot(db, scope, filter, '24 hours')
  return new Map(days.map(({ start, ...sums }) => [singaporeDay(start), sums]))
}

/**
 * Sums redemptions by day or hour, in order; slots without a redemption are absent. The filter must begin and end with a slot. Each slot is
 * counted separately, because grouping a year of a million rows takes several times as long as walking the index.
 */
export async function sumsPerSlot(db: Db, scope: Scope, filter: RedemptionFilter, length: '24 hours' | '1 hour') {
  const interval = sql`${length}::interval`
  const start = sql<Date>`slot.start`.mapWith(redemption.redeemedAt)
  const ofSlot = and(
    redemptionCondition(scope, filter),
    gte(redemption.redeemedAt, start),
    lt(redemption.redeemedAt, sql`slot.start + ${interval}`),
  )
  const sums = db
    .select({ count: count().as('redemptions'), cents: sum(redemption.amountCents).as('cents') })
    .from(redemption)
    .where(ofSlot)
    .as('sums')
  const found = await db
    .select({ start, count: sums.count, cents: sums.cents })
    .from(sql`generate_series(${timestampOf(filter.from)}, ${timestampOf(filter.before)}, ${interval}) AS slot(start)`)
    .crossJoinLateral(sums)
  return found
    .map((row) => ({ start: row.start, count: Number(row.count), cents: Number(row.cents) }))
    .filter(({ count: redemptions }) => redemptions > 0)
}

const timestampOf = (at: Date) => sql`${at.toISOString()}::timestamptz`

export interface BranchSum extends Sum {
  branchId: string
  denominationCents: number
}

/** Sums redemptions by branch and denomination, in no particular order. */
export async function sumsByBranch(db: Db, scope: Scope, filter: RedemptionFilter): Promise<BranchSum[]> {
  const found = await db
    .select({
      branchId: redemption.branchId,
      denominationCents: redemption.amountCents,
      count: count(),
      cents: sum(redemption.amountCents),
    })
    .from(redemption)
    .where(redemptionCondition(scope, filter))
    .groupBy(redemption.branchId, redemption.amountCents)
  return found.map(({ branchId, denominationCents, count: redemptions, cents }) => ({
    branchId,
    denominationCents,
    count: redemptions,
    cents: Number(cents),
  }))
}

/**
 * Reads the newest redemptions, newest first. The query selects them before it joins other tables: with row security PostgreSQL cannot estimate how
 * many rows a merchant has, and would join two months of rows to find the newest ten.
 */
export function latestRedemptions(db: Db, scope: Scope, filter: RedemptionFilter, limit: number) {
  const newestFirst = [desc(redemption.redeemedAt), desc(redemption.id)]
  const newest = db
    .select()
    .from(redemption)
    .where(redemptionCondition(scope, filter))
    .orderBy(...newestFirst)
    .limit(limit)
    // Named like the table, so that the table's columns refer to these rows.
    .as('redemption')
  return db
    .select({
      guid: voucher.id,
      serial: voucher.serial,
      denominationCents: redemption.amountCents,
      redeemedAt: redemption.redeemedAt,
      branchName: branch.name,
      posUsername: appUser.loginName,
    })
    .from(newest)
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .orderBy(...newestFirst)
}

/** Adds up the open holds of tills, including those past their end, and counts the tills. */
export async function sumOfHolds(db: Db, scope: Scope) {
  const tills = sql<number>`count(DISTINCT (${hold.branchId}, ${hold.tillId}))::int`
  const [found] = await db
    .select({ count: count(), cents: sum(voucher.denominationCents), tills })
    .from(hold)
    .innerJoin(voucher, eq(voucher.id, hold.voucherId))
    .where(and(isNull(hold.became), within(scope, hold.organisationId, hold.branchId)))
  return { count: found?.count ?? 0, cents: Number(found?.cents ?? 0), tills: found?.tills ?? 0 }
}

/**
 * Finds which steps towards a first voucher are done: the oldest Active branch of the scope, an Active POS user, a till, a practice, a redemption
 * that was not voided.
 */
export async function stepsTaken(db: Db, scope: Scope) {
  const tills = db
    .select()
    .from(till)
    .innerJoin(branch, eq(branch.id, till.branchId))
    .where(within(scope, branch.organisationId, branch.id))
  const redeemed = db
    .select()
    .from(redemption)
    .where(and(within(scope, redemption.organisationId, redemption.branchId), isNull(redemption.voidedAt)))
  const oldest = db
    .select({ id: branch.id })
    .from(branch)
    .where(and(within(scope, branch.organisationId, branch.id), eq(branch.status, 'Active')))
    .orderBy(asc(branch.createdAt), asc(branch.id))
    .limit(1)
  const posUsers = db
    .select()
    .from(appUser)
    .where(
      and(
        within(scope, appUser.organisationId, appUser.branchId),
        eq(appUser.type, 'POS User'),
        eq(appUser.status, 'Active'),
      ),
    )
  const practised = db
    .select()
    .from(organisation)
    .where(and(eq(organisation.id, scope.organisationId), isNotNull(organisation.practisedAt)))
  const steps = {
    branch_guid: sql<string | null>`(${oldest})`,
    pos_user: sql<boolean>`${exists(posUsers)}`,
    till: sql<boolean>`${exists(tills)}`,
    practice: sql<boolean>`${exists(practised)}`,
    redemption: sql<boolean>`${exists(redeemed)}`,
  }
  const [found] = await db.select(steps).from(sql`(VALUES (1)) AS one`)
  return found ?? { branch_guid: null, pos_user: false, till: false, practice: false, redemption: false }
}
