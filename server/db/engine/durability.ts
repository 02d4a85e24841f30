import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { Db, Durability } from './Database.ts'

/** Without one of them PostgreSQL says "committed" before the disk has it, or cannot mend a page that was half written. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * Whether a commit does not wait until the standby that was named for it has it on disk: as SQL. Where none is named, `local` is all there
 * is to wait for.
 */
export const SKIPS_STANDBY = `(coalesce(current_setting('synchronous_standby_names', true), '') <> ''
  AND current_setting('synchronous_commit', true) IN ('local', 'remote_write'))`

/**
 * What the server behind `client` survives, by its own settings on this connection (rule 17.5). A setting that it does not
 * know, as compatible clusters do not, counts as on: such a cluster has its own way to keep what it acknowledged.
 */
export async function readDurability(client: Client): Promise<Durability> {
  const text = `SELECT name FROM unnest($1::text[]) AS name
    WHERE current_setting(name, true) = 'off' OR name = 'synchronous_commit' AND ${SKIPS_STANDBY} ORDER BY name`
  const { rows } = await client.query<{ name: string }>(text, [NEEDED])
  return { survives: rows.length === 0 ? 'power loss' : 'process crash', off: rows.map(({ name }) => name) }
}

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
