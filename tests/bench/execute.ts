import { sql } from 'drizzle-orm'
import type { Database } from '../../server/db/engine/Database.ts'

/** Only what has no parameters, one statement at a time. */
export async function execute({ db }: Database, statements: string): Promise<void> {
  for (const statement of statements.split(';')) if (statement.trim()) await db.execute(sql.raw(statement))
}
