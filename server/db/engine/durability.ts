import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { Db, Durability } from './Database.ts'

/** With one of these off PostgreSQL says "committed" before the disk has it, or cannot repair a page that was half written. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit']

/**
 * SQL: true if a standby is named, but a commit does not wait until the standby has it on disk. Without a named standby these settings are as safe as
 * `on`.
 */
export const SKIPS_STANDBY = `(coalesce(current_setting('synchronous_standby_names', true), '') <> ''
  AND current_setting('synchronous_commit', true) IN ('local', 'remote_write'))`

/**
 * Reads which failures the server behind `client` survives, by its settings on this connection (rule 17.5). A setting that the server does not
 * know counts as on, because a compatible cluster keeps acknowledged data in its own way.
 */
export async function readDurability(client: Client): Promise<Durability> {
  const text = `SELECT name FROM unnest($1::text[]) AS name
    WHERE current_setting(name, true) = 'off' OR name = 'synchronous_commit' AND ${SKIPS_STANDBY} ORDER BY name`
  const { rows } = await client.query<{ name: string }>(text, [NEEDED])
  return { survives: rows.length === 0 ? 'power loss' : 'process crash', off: rows.map(({ name }) => name) }
}

/**
 * Commits this transaction without waiting for the disk: a power loss within a second may undo it. Only for data that no caller was promised, never
 * for money. Changes nothing on a cluster without the setting.
 */
export async function commitLater(tx: Db): Promise<void> {
  await tx.execute(sql`SELECT set_config('synchronous_commit', 'off', true)
    WHERE current_setting('synchronous_commit', true) IS NOT NULL`)
}

/** A condition that is always true. Its effect: the commit waits for the local disk, but for no standby. Never for money. */
export const WITHOUT_STANDBY = sql`CASE WHEN current_setting('synchronous_commit', true) IS NULL THEN true
  ELSE set_config('synchronous_commit', 'local', true) IS NOT NULL END`
