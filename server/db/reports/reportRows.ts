import { asc, count, eq, sql, sum } from 'drizzle-orm'
import { LIMITS } from '../../../src/contract/limits.ts'
import { toTextRow, type Db, type FirstRows, type RowSource } from '../engine/Database.ts'
import { redemptionCondition, type RedemptionFilter } from '../redemptions/redemptions.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { redemption } from '../schema/redemptions.ts'
import { voucher } from '../schema/vouchers.ts'
import type { Scope } from '../Scope.ts'
import { plainCell, singaporeWallTime, type Cells } from '../tables/csvCells.ts'

/** The time in UTC, to the microsecond, in every session time zone (RPT-04). */
const redeemedAt = sql<string>`(${redemption.redeemedAt} AT TIME ZONE 'UTC')::text`

const recordedAt = sql<string>`(${redemption.recordedAt} AT TIME ZONE 'UTC')::text`

/** True if the redemption's month was already closed when the server received it (rule 10.7). */
const isLate = sql`${singaporeWallTime(redemption.recordedAt)} >= date_trunc('month', ${singaporeWallTime(redemption.redeemedAt)})
  + interval '1 month' + interval '${sql.raw(String(LIMITS.monthClosesHours))} hours'`

const late = sql<string>`CASE WHEN ${isLate} THEN 'Late' ELSE '' END`

/** Time in UTC, receipt number, serial, cents, branch, POS user, time of recording in UTC, and `Late` or nothing. */
const COLUMNS = {
  redeemedAt,
  receiptNo: sql<string>`${redemption.receiptNo}::text`,
  serial: sql<string>`${voucher.serial}::text`,
  cents: sql<string>`${redemption.amountCents}::text`,
  branch: branch.name,
  posUser: appUser.loginName,
  recordedAt,
  late,
}

/** The source of a report with a row per redemption, oldest first. */
export const ledgerRows = (scope: Scope, filter: RedemptionFilter): RowSource & FirstRows => ({
  all: (db) => selectLedger(db, scope, filter),
  first: async (db, limit) => (await selectLedger(db, scope, filter, limit)).map(toTextRow),
})

/** With a `limit`, selects the redemptions first and joins only those; PostgreSQL's own plan might join all redemptions (see `latestRedemptions`). */
function selectLedger(db: Db, scope: Scope, filter: RedemptionFilter, limit?: number) {
  const oldestFirst = [asc(redemption.redeemedAt), asc(redemption.id)]
  const chosen = db.select().from(redemption).where(redemptionCondition(scope, filter))
  const from = limit === undefined ? chosen : chosen.orderBy(...oldestFirst).limit(limit)
  return db
    .select(COLUMNS)
    .from(from.as('redemption'))
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .orderBy(...oldestFirst)
}

type SelectGroups = (columns: Cells, scope: Scope, filter: RedemptionFilter) => (db: Db) => SelectedGroups

type SelectedGroups = ReturnType<RowSource['all']> &
  PromiseLike<Record<string, unknown>[]> & { limit(rows: number): PromiseLike<Record<string, unknown>[]> }

const SUMS: Cells = {
  cents: plainCell(redemption.amountCents),
  count: plainCell(count()),
  sum: plainCell(sum(redemption.amountCents)),
}

const month = sql<string>`to_char(${singaporeWallTime(redemption.redeemedAt)}, 'YYYY-MM')`

/** Branches with the same name stay separate. */
const selectByMonth: SelectGroups = (columns, scope, filter) => (db) =>
  db
    .select(columns)
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .where(redemptionCondition(scope, filter))
    .groupBy(month, branch.id, redemption.amountCents)
    .orderBy(month, asc(branch.name), asc(branch.id), asc(redemption.amountCents))

const selectByPosUser: SelectGroups = (columns, scope, filter) => (db) =>
  db
    .select(columns)
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .where(redemptionCondition(scope, filter))
    .groupBy(branch.id, appUser.id, redemption.amountCents)
    .orderBy(asc(branch.name), asc(branch.id), asc(appUser.loginName), asc(redemption.amountCents))

const groupedSource =
  (select: SelectGroups, columns: Cells) =>
  (scope: Scope, filter: RedemptionFilter): RowSource & FirstRows => {
    const all = select(columns, scope, filter)
    return {
      all,
      first: async (db, limit) => (await all(db).limit(limit)).map(toTextRow),
    }
  }

/** Counts the rows of a grouped source. */
export const countGroups = (db: Db, source: RowSource): Promise<number> => db.$count(sql`${source.all(db)} AS rows`)

const lateCount = plainCell(sql`count(*) FILTER (WHERE ${isLate})`)

/** Month, branch, denomination in cents, count, cents, count of late redemptions. */
export const rowsByMonth = groupedSource(selectByMonth, { month, branch: branch.name, ...SUMS, lateCount })

/** Branch, POS user, denomination in cents, count, cents. */
export const rowsByPosUser = groupedSource(selectByPosUser, {
  branch: branch.name,
  posUser: appUser.loginName,
  ...SUMS,
})
