import { asc, count, eq, sql, sum } from 'drizzle-orm'
import type { Db } from './Database.ts'
import { matching, type RedemptionFilter } from './redemptions.ts'
import type { RowSource, TextRow } from './RowSource.ts'
import { appUser, branch, redemption } from './schema.ts'
import type { Scope } from './Scope.ts'
import { singaporeWallTime } from './singaporeWallTime.ts'

const sums = {
  cents: sql<string>`${redemption.amountCents}::text`,
  count: sql<string>`${count()}::text`,
  sum: sql<string>`${sum(redemption.amountCents)}::text`,
}
const month = sql<string>`to_char(${singaporeWallTime(redemption.redeemedAt)}, 'YYYY-MM')`

/** Month, branch, denomination in cents, how many, cents. Branches of one name stay apart. */
export const rowsByMonth = (scope: Scope, filter: RedemptionFilter): RowSource =>
  grouped((db) =>
    db
      .select({ month, branch: branch.name, ...sums })
      .from(redemption)
      .innerJoin(branch, eq(branch.id, redemption.branchId))
      .where(matching(scope, filter))
      .groupBy(month, branch.id, redemption.amountCents)
      .orderBy(month, asc(branch.name), asc(branch.id), asc(redemption.amountCents)),
  )

/** Branch, POS user, denomination in cents, how many, cents. */
export const rowsByPosUser = (scope: Scope, filter: RedemptionFilter): RowSource =>
  grouped((db) =>
    db
      .select({ branch: branch.name, posUser: appUser.loginName, ...sums })
      .from(redemption)
      .innerJoin(branch, eq(branch.id, redemption.branchId))
      .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
      .where(matching(scope, filter))
      .groupBy(branch.id, appUser.id, redemption.amountCents)
      .orderBy(asc(branch.name), asc(branch.id), asc(appUser.loginName), asc(redemption.amountCents)),
  )

type Row = Record<string, string>
type Select = ReturnType<RowSource['all']> & PromiseLike<Row[]> & { limit(rows: number): PromiseLike<Row[]> }

/** Few rows, however many redemptions they count: one batch holds them. */
const grouped = (select: (db: Db) => Select): RowSource => ({
  all: select,
  first: async (db, limit) => (await select(db).limit(limit)).map(textOf),
  async *batches(db) {
    const rows = await select(db)
    if (rows.length > 0) yield rows.map(textOf)
  },
})

const textOf = (row: Row): TextRow => Object.values(row)
