import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import type { Log } from '../log.ts'
import { batchedReading } from './batchedReading.ts'
import type { Database } from './Database.ts'
import { lockDataDir } from './dataDirLock.ts'
import { MIGRATIONS } from './migrationsFolder.ts'
import * as schema from './schema.ts'

/** The embedded engine: one connection, one process; survives a crash of the process but not of the machine (it does not fsync). */
export async function openEmbedded(dataDir: string | undefined, log: Log): Promise<Database> {
  const release = dataDir === undefined ? () => undefined : await lockFolder(dataDir, log)
  const client = await PGlite.create(dataDir === undefined ? 'memory://' : join(dataDir, 'database'))
  await client.exec("SET TIME ZONE 'UTC'")
  const db = drizzle(client, { schema, casing: 'snake_case' })
  await migrate(db, { migrationsFolder: MIGRATIONS })
  const database: Database = {
    db,
    engine: 'embedded',
    durability: { survives: 'process crash', off: [] },
    // Its one connection is everybody's, and a superuser's.
    isWalled: false,
    forTenant: () => database,
    portal: () => database,
    run: async <Row>({ text }: { text: string }, values: unknown[]) => (await client.query<Row>(text, values)).rows,
    // One connection serves everybody.
    openReading: () => Promise.resolve(batchedReading(db)),
    openExport: () => Promise.resolve(batchedReading(db)),
    pools: () => [],
    longestWaitMs: () => 0,
    async close() {
      await client.close()
      release()
    },
  }
  return database
}

async function lockFolder(dataDir: string, log: Log): Promise<() => void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  return lockDataDir(dataDir, log)
}
