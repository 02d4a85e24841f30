import { asc, eq, sql } from 'drizzle-orm'
import { type Cells, instantCell, moneyCell, plainCell, receiptCell, textCell } from '../tables/csvCells.ts'
import type { Db } from '../engine/Database.ts'
import { matching, type RedemptionFilter } from '../redemptions/redemptions.ts'
import { type FirstRows, type RowSource, toTextRow } from '../RowSource.ts'
import { appUser, branch, redemption, voucher } from '../schema.ts'
import type { Scope } from '../Scope.ts'

/** In UTC whatever the zone of the session (cases RPT-04), to the microsecond. */
const redeemedAt = sql<string>`(${redemption.redeemedAt} AT TIME ZONE 'UTC')::text`

/** When in UTC, receipt number, serial, cents, branch, POS user. */
const COLUMNS = {
  redeemedAt,
  receiptNo: sql<string>`${redemption.receiptNo}::text`,
  serial: sql<string>`${voucher.serial}::text`,
  cents: sql<string>`${redemption.amountCents}::text`,
  branch: branch.name,
  posUser: appUser.loginName,
}

const CELLS: Cells = {
  redeemedAt: instantCell(redemption.redeemedAt),
  receiptNo: receiptCell(redemption.receiptNo),
  serial: plainCell(voucher.serial),
  cents: moneyCell(redemption.amountCents),
  branch: textCell(branch.name),
  posUser: textCell(appUser.loginName),
}

/** A row per redemption, oldest first. */
export const ledgerRows = (scope: Scope, filter: RedemptionFilter): RowSource & FirstRows => ({
  ...ledger(COLUMNS, scope, filter),
  first: async (db, limit) => (await select(db, COLUMNS, scope, filter, limit)).map(toTextRow),
})

/** The same as cells of CSV. */
export const ledgerCells = (scope: Scope, filter: RedemptionFilter): RowSource => ledger(CELLS, scope, filter)

const ledger = (columns: Cells, scope: Scope, filter: RedemptionFilter): RowSource => ({
  all: (db) => select(db, columns, scope, filter),
})

/** Of the first `limit` only their redemptions are joined to anything, whatever PostgreSQL believes there is (`latestRedemptions`). */
function select(db: Db, columns: Cells, scope: Scope, filter: RedemptionFilter, limit?: number) {
  const oldestFirst = [asc(redemption.redeemedAt), asc(redemption.id)]
  const chosen = db.select().from(redemption).where(matching(scope, filter))
  const from = limit === undefined ? chosen : chosen.orderBy(...oldestFirst).limit(limit)
  return db
    .select(columns)
    .from(from.as('redemption'))
    .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
    .innerJoin(branch, eq(branch.id, redemption.branchId))
    .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
    .orderBy(...oldestFirst)
}
