import { getTableColumns, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../engine/Database.ts'
import { appUser } from '../schema/organisations.ts'

/** Writes `row`, which is about a user. For an id that no user has the same statement writes nothing. */
export async function insertForUser<T extends PgTable>(
  tx: Db,
  table: T,
  userId: string,
  row: T['$inferInsert'],
): Promise<void> {
  const given: Record<string, unknown> = row
  const cells = Object.entries(getTableColumns(table)).map(([key, column]) =>
    sql.param(given[key] ?? column.default ?? null, column),
  )
  await tx.insert(table).select(sql`SELECT ${sql.join(cells, sql`, `)} FROM ${appUser} WHERE ${appUser.id} = ${userId}`)
}
