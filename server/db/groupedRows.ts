import { asc, count, eq, sql, sum } from 'drizzle-orm'
import { type Cells, moneyCell, plainCell, textCell } from './tables/csvCells.ts'
import type { Db } from './engine/Database.ts'
import { matching, type RedemptionFilter } from './redemptions/redemptions.ts'
import { type FirstRows, type RowSource, toTextRow } from './RowSource.ts'
import { appUser, branch, redemption } from './schema.ts'
import type { Scope } from './Scope.ts'
import { singaporeWallTime } from './singaporeWallTime.ts'

type Select = (columns: Cells, scope: Scope, filter: RedemptionFilter) => (db: Db) => Selected
type Selected = ReturnType<RowSource['all']> &
  PromiseLike<Record<string, unknown>[]> & { limit(rows: number): PromiseLike<Record<string, unknown>[]> }

const SUMS: Cells = {
  cents: plainCell(redemption.amountCents),
  count: plainCell(count()),
  sum: plainCell(sum(redemption.amountCents)),
}
const SUM_CELLS: Cells = {
  cents: moneyCell(redemption.amountCents),
  count: plainCell(count()),
  sum: moneyCell(sum(redemption.amountCents)),
}
const month = sql<string>`to_char(${singaporeWallTime(redemption.redeemedAt)}, 'YYYY-MM')`

/** Branches of one name stay apart. */
const byMonth: Select = (columns, scope, filter) => (db) =>
  db
    .select(columns)
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .where(matching(scope, filter))
    .groupBy(month, branch.id, redemption.amountCents)
    .orderBy(month, asc(branch.name), asc(branch.id), asc(redemption.amountCents))

const byPosUser: Select = (columns, scope, filter) => (db) =>
  db
    .select(columns)
    .from(redemption)
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .where(matching(scope, filter))
    .groupBy(branch.id, appUser.id, redemption.amountCents)
    .orderBy(asc(branch.name), asc(branch.id), asc(appUser.loginName), asc(redemption.amountCents))

const grouped =
  (select: Select, columns: Cells) =>
  (scope: Scope, filter: RedemptionFilter): RowSource & FirstRows => {
    const all = select(columns, scope, filter)
    return {
      all,
      first: async (db, limit) => (await all(db).limit(limit)).map(toTextRow),
    }
  }

/** Month, branch, denomination in cents, how many, cents. */
export const rowsByMonth = grouped(byMonth, { month, branch: branch.name, ...SUMS })
export const cellsByMonth = grouped(byMonth, { month, branch: textCell(branch.name), ...SUM_CELLS })

/** Branch, POS user, denomination in cents, how many, cents. */
export const rowsByPosUser = grouped(byPosUser, { branch: branch.name, posUser: appUser.loginName, ...SUMS })
export const cellsByPosUser = grouped(byPosUser, {
  branch: textCell(branch.name),
  posUser: textCell(appUser.loginName),
  ...SUM_CELLS,
})
