import { and, count, eq, gt, isNull, lt, lte, sql, sum } from 'drizzle-orm'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import type { Db } from '../engine/Database.ts'
import { matching, type RedemptionFilter } from '../redemptions/redemptions.ts'
import { redemption } from '../schema/redemptions.ts'
import type { Scope } from '../Scope.ts'
import { singaporeWallTime } from '../tables/csvCells.ts'

export type TimeUnit = 'hour' | 'day' | 'month'

export interface RedemptionSums {
  total: Sum
  /** By the Singapore wall time the hour, day or month begins at, `2026-11-21 09:00:00`. */
  byTime: Map<string, Sum>
  byBranch: Map<string, Sum>
  byDenomination: Map<number, Sum>
}

/** Which keys of the grouping a line was summed over: one bit each, as SQL's grouping() has it. */
const TOTAL = 0b111
const BY_TIME = 0b011
const BY_BRANCH = 0b101

/** Count and cents of the same redemptions four ways, by one statement: they cannot disagree. */
export async function sumsOfRedemptions(
  db: Db,
  scope: Scope,
  filter: RedemptionFilter,
  unit: TimeUnit,
): Promise<RedemptionSums> {
  const { branchId, amountCents } = redemption
  // Raw: as a parameter it would be another one in every place, and the places no longer the same expression.
  const slot = sql<string>`date_trunc('${sql.raw(unit)}', ${singaporeWallTime(redemption.redeemedAt)})::text`
  const lines = await db
    .select({
      kind: sql`grouping(${slot}, ${branchId}, ${amountCents})`.mapWith(Number),
      slot,
      branchId,
      amountCents,
      count: count(),
      cents: sum(amountCents).mapWith(Number),
    })
    .from(redemption)
    .where(matching(scope, filter))
    .groupBy(sql`GROUPING SETS ((), (${slot}), (${branchId}), (${amountCents}))`)
  return toSums(lines)
}

interface Line extends Sum {
  kind: number
  slot: string
  branchId: string
  amountCents: number
}

function toSums(lines: Line[]): RedemptionSums {
  const sums: RedemptionSums = {
    total: { count: 0, cents: 0 },
    byTime: new Map(),
    byBranch: new Map(),
    byDenomination: new Map(),
  }
  for (const { kind, slot, branchId, amountCents, count: lineCount, cents } of lines) {
    const one = { count: lineCount, cents: cents ?? 0 }
    if (kind === TOTAL) sums.total = one
    else if (kind === BY_TIME) sums.byTime.set(slot, one)
    else if (kind === BY_BRANCH) sums.byBranch.set(branchId, one)
    else sums.byDenomination.set(amountCents, one)
  }
  return sums
}

/** Count and sum in cents of the redemptions that `filter` finds. */
export async function totalOfRedemptions(db: Db, scope: Scope, filter: RedemptionFilter): Promise<Sum> {
  const [total] = await db
    .select({ count: count(), cents: sum(redemption.amountCents).mapWith(Number) })
    .from(redemption)
    .where(matching(scope, filter))
  return { count: total?.count ?? 0, cents: total?.cents ?? 0 }
}

export interface LateSum extends Sum {
  /** In which they were redeemed, `2026-10`. */
  month: string
}

/** What was redeemed before a moment and recorded between two others, the second included; by month, the first one first. */
export async function lateRedemptions(
  db: Db,
  organisationId: string,
  { redeemedBefore, after, until }: { redeemedBefore: Date; after: Date; until: Date },
): Promise<LateSum[]> {
  const month = sql<string>`to_char(${singaporeWallTime(redemption.redeemedAt)}, 'YYYY-MM')`
  return db
    .select({ month, count: count(), cents: sum(redemption.amountCents).mapWith(Number) })
    .from(redemption)
    .where(
      and(
        eq(redemption.organisationId, organisationId),
        isNull(redemption.voidedAt),
        lt(redemption.redeemedAt, redeemedBefore),
        gt(redemption.recordedAt, after),
        lte(redemption.recordedAt, until),
      ),
    )
    .groupBy(month)
    .orderBy(month)
}
