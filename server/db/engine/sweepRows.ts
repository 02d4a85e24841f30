import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './Database.ts'

/** Rows per statement. A statement with more rows might take too long: statements are cancelled after a few seconds. */
const PORTION = 10_000

/** Deletes rows that are no longer needed, a portion at a time. Skips rows that another transaction has locked, until the next sweep. */
export async function sweepRows(db: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<void> {
  let swept
  do swept = await db.transaction((tx: Db) => sweepPortion(tx, table, key, which))
  while (swept === PORTION)
}

/**
 * Deletes one portion, and returns its size. The DELETE gets a list of keys, which is always looked up by the index. With a subquery instead,
 * PostgreSQL might scan the whole portion for each row, if its statistics still say that the table is empty.
 */
async function sweepPortion(tx: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<number> {
  const portion = await tx.select({ key }).from(table).where(which).limit(PORTION).for('update', { skipLocked: true })
  const keys = portion.map((row) => row.key)
  if (keys.length > 0) {
    await tx.delete(table).where(sql`${key} = ANY(${sql.param(keys)}::${sql.raw(key.getSQLType())}[])`)
  }
  return keys.length
}
