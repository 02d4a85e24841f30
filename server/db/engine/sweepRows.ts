import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './Database.ts'

/** A statement that takes longer than a few seconds is broken off. */
const PORTION = 10_000

/** Deletes rows that nobody needs any more, a portion at a time. What somebody else is at is left to the next sweep. */
export async function sweepRows(db: Db, table: PgTable, key: PgColumn, which: SQL | undefined): Promise<void> {
  for (;;) {
    const portion = db.select({ key }).from(table).where(which).limit(PORTION).for('update', { skipLocked: true })
    // As an array it is asked for once, and not for each row.
    const gone = await db
      .delete(table)
      .where(sql`${key} = ANY(ARRAY(${portion}))`)
      .returning({ key })
    if (gone.length < PORTION) return
  }
}
