import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from './Database.ts'
import { matching, type RedemptionFilter } from './redemptions.ts'
import type { RowSource, TextRow } from './RowSource.ts'
import { appUser, branch, redemption, voucher } from './schema.ts'
import type { Scope } from './Scope.ts'

const BATCH = 2_000

/** In UTC whatever the zone of the session (cases RPT-04), to the microsecond: exact enough to go on after it. */
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

/** A row per redemption, oldest first. */
export function ledgerRows(scope: Scope, filter: RedemptionFilter): RowSource {
  const rows = (db: Db, after?: Position) =>
    db
      .select({ ...COLUMNS, id: redemption.id })
      .from(redemption)
      .innerJoin(voucher, eq(voucher.id, redemption.voucherId))
      .innerJoin(branch, eq(branch.id, redemption.branchId))
      .innerJoin(appUser, eq(appUser.id, redemption.posUserId))
      .where(and(matching(scope, filter), after && isAfter(after)))
      .orderBy(asc(redemption.redeemedAt), asc(redemption.id))
  return {
    all: (db) => rows(db),
    first: async (db, limit) => (await rows(db).limit(limit)).map(textOf),
    async *batches(db) {
      let after: Position | undefined
      do {
        const batch = await rows(db, after).limit(BATCH)
        if (batch.length > 0) yield batch.map(textOf)
        after = batch.length === BATCH ? batch.at(-1) : undefined
      } while (after)
    },
  }
}

/** Where the batch after this row begins. */
interface Position {
  id: string
  redeemedAt: string
}

const isAfter = ({ id, redeemedAt: at }: Position) =>
  sql`(${redemption.redeemedAt}, ${redemption.id}) > (${at}::timestamp AT TIME ZONE 'UTC', ${id}::uuid)`

const textOf = (row: Record<string, string>): TextRow => Object.values(row)
