import { count, sql, sum } from 'drizzle-orm'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import type { Db } from '../engine/Database.ts'
import { redemptionCondition, type RedemptionFilter } from '../redemptions/redemptions.ts'
import { redemption } from '../schema/redemptions.ts'
import type { Scope } from '../Scope.ts'
import { singaporeWallTime } from '../tables/csvCells.ts'

export type TimeUnit = 'hour' | 'day' | 'month'

/** Sums redemptions for each hour, day or month that has any. The key is the start in Singapore time, `2026-11-21 09:00:00`. */
export async function sumsOverTime(
  db: Db,
  scope: Scope,
  filter: RedemptionFilter,
  unit: TimeUnit,
): Promise<Map<string, Sum>> {
  // The unit is raw SQL. A parameter would have different numbers in SELECT and GROUP BY, and the two expressions would differ.
  const slot = sql<string>`date_trunc('${sql.raw(unit)}', ${singaporeWallTime(redemption.redeemedAt)})::text`
  const lines = await db
    .select({ slot, count: count(), cents: sum(redemption.amountCents).mapWith(Number) })
    .from(redemption)
    .where(redemptionCondition(scope, filter))
    .groupBy(slot)
  return new Map(lines.map((line) => [line.slot, { count: line.count, cents: line.cents }]))
}

/** Returns the count and the sum in cents of the redemptions that `filter` finds. */
export async function totalOfRedemptions(db: Db, scope: Scope, filter: RedemptionFilter): Promise<Sum> {
  const [total] = await db
    .select({ count: count(), cents: sum(redemption.amountCents).mapWith(Number) })
    .from(redemption)
    .where(redemptionCondition(scope, filter))
  return { count: total?.count ?? 0, cents: total?.cents ?? 0 }
}
