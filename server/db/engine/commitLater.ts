import { sql } from 'drizzle-orm'
import type { Db } from './Database.ts'

/**
 * The commit of this transaction does not wait for the disk: a loss of power may take it back, if it comes within a second. For
 * what nobody was told yet, never for money. A cluster without the setting keeps its own way.
 */
export async function commitLater(tx: Db): Promise<void> {
  await tx.execute(sql`SELECT set_config('synchronous_commit', 'off', true)
    WHERE current_setting('synchronous_commit', true) IS NOT NULL`)
}

/** Among the conditions of a statement, and always true: its commit waits for the disk here, and for no standby. Never for money. */
export const WITHOUT_STANDBY = sql`CASE WHEN current_setting('synchronous_commit', true) IS NULL THEN true
  ELSE set_config('synchronous_commit', 'local', true) IS NOT NULL END`
