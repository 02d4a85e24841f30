import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Database } from '../../server/db/Database.ts'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { silentLog } from './silentLog.ts'

export interface TestDatabase extends Database {
  /** Empties every table, the activity log included, which else is never emptied; the schema stays. */
  reset(): Promise<void>
}

/** PostgreSQL when TEST_DATABASE_URL is set (project `server-pg`), else the embedded engine in memory. Migrated and empty. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env['TEST_DATABASE_URL']
  const { url, drop } = server ? await createDatabase(server) : { url: undefined, drop: () => Promise.resolve() }
  const database = await openDatabase(url === undefined ? { memory: true } : { url }, silentLog)
  return {
    ...database,
    reset: () => truncateAll(database),
    async close() {
      await database.close()
      await drop()
    },
  }
}

/** One database per test file: files run at the same time. */
export async function createDatabase(server: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const TABLES = `SELECT string_agg(quote_ident(tablename), ', ' ORDER BY tablename) AS tables FROM pg_tables WHERE schemaname = 'public'`

async function truncateAll(database: Database): Promise<void> {
  const [row] = await database.run<[], { tables: string }>({ name: 'tables', text: TABLES }, [])
  const trigger = (does: string) => `ALTER TABLE activity ${does} TRIGGER activity_never_emptied`
  await database.run({ name: 'may be emptied', text: trigger('DISABLE') }, [])
  await database.run({ name: 'truncate', text: `TRUNCATE ${row?.tables} CASCADE` }, [])
  await database.run({ name: 'never emptied', text: trigger('ENABLE') }, [])
}
