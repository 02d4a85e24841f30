import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './Database.ts'

/** A statement that takes longer than a few seconds is broken off. */
const PORTION = 10_000

/** Deletes rows that nobody needs any more, a portion at a time. What somebody else is at is left to the next sweep. */
export async function sweepRows(db: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<void> {
  let swept
  do swept = await db.transaction((tx: Db) => sweepPortion(tx, table, key, which))
  while (swept === PORTION)
}

/**
 * Two statements, for a list of values is looked up whatever the statistics say. After a flood they may still say that the table is
 * empty, and a subquery was looked through from its beginning for each row.
 */
async function sweepPortion(tx: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<number> {
  const portion = await tx.select({ key }).from(table).where(which).limit(PORTION).for('update', { skipLocked: true })
  const keys = portion.map((row) => row.key)
  if (keys.length > 0) {
    await tx.delete(table).where(sql`${key} = ANY(${sql.param(keys)}::${sql.raw(key.getSQLType())}[])`)
  }
  return keys.length
}
