import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client } from 'pg'
import type { Log } from '../log.ts'
import { batchedReading } from './batchedReading.ts'
import type { Database } from './Database.ts'
import { databaseCode, DatabaseUnavailable } from './databaseError.ts'
import { type Durability, readDurability } from './durability.ts'
import { MIGRATIONS } from './migrationsFolder.ts'
import { PatientPool } from './PatientPool.ts'
import { readingPool } from './readingPool.ts'
import * as schema from './schema.ts'
import { SESSION } from './postgresSession.ts'

/** Any number, the same in every process: whoever holds it migrates, the others wait. */
const MIGRATION_LOCK = 7_204_118

/** PostgreSQL 15 or a compatible cluster, shared by any number of server processes. */
export async function openPostgresql(url: string, log: Log): Promise<Database> {
  const durability = await migrateOnce(url)
  const pool = new PatientPool({ connectionString: url, max: 20, statement_timeout: 3_500, ...SESSION })
  // An idle connection that breaks has nobody to tell; without a listener it would end the process.
  const lost = (error: Error) => log.warn('idle_connection_lost', { code: databaseCode(error) })
  pool.on('error', lost)
  const readings = readingPool(url, lost)
  const db = drizzle(pool, { schema, casing: 'snake_case' })
  return {
    db,
    engine: 'postgresql',
    durability,
    async run<Row>({ name, text }: { name: string; text: string }, values: unknown[]) {
      try {
        return (await pool.query({ name, text, values })).rows as Row[]
      } catch (error) {
        throw databaseCode(error) === undefined ? new DatabaseUnavailable('query', { cause: error }) : error
      }
    },
    openReading: () => readings.open(),
    openExport: async () => (await readings.openInSpareHalf()) ?? batchedReading(db),
    pools: () => [
      { pool: 'requests', ...pool.state() },
      { pool: 'downloads', ...readings.state() },
    ],
    async close() {
      await Promise.all([pool.end(), readings.end()])
    },
  }
}

/** Also reads what the server survives, on the one connection there is at a start. */
async function migrateOnce(url: string): Promise<Durability> {
  const client = new Client({ connectionString: url, ...SESSION })
  // Who waits for an answer is told by that; without a listener it would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client, { casing: 'snake_case' }), { migrationsFolder: MIGRATIONS })
    return await readDurability(client)
  } finally {
    // Ending the connection gives the lock back.
    await client.end()
  }
}
