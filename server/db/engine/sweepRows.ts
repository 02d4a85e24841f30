import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './Database.ts'

/** Rows per statement: one that takes longer than a few seconds is cancelled. */
const PORTION = 10_000

/** Deletes rows that are no longer needed, a portion at a time. Rows locked by another transaction are left to the next sweep. */
export async function sweepRows(db: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<void> {
  let swept
  do swept = await db.transaction((tx: Db) => sweepPortion(tx, table, key, which))
  while (swept === PORTION)
}

/**
 * Deletes one portion in two statements: a list of values is always looked up by key. After a flood of rows the statistics may still say that the
 * table is empty, and a subquery would be scanned for each row.
 */
async function sweepPortion(tx: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<number> {
  const portion = await tx.select({ key }).from(table).where(which).limit(PORTION).for('update', { skipLocked: true })
  const keys = portion.map((row) => row.key)
  if (keys.length > 0) {
    await tx.delete(table).where(sql`${key} = ANY(${sql.param(keys)}::${sql.raw(key.getSQLType())}[])`)
  }
  return keys.length
}
