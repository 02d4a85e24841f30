import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import type { Log } from '../../../server/log.ts'
import { silentLog } from '../server/silentLog.ts'
import { execute, startPostgres, type PostgresOptions } from './postgres.ts'

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

/** The database that every test database is copied from: migrated once a run, and empty. */
const TEMPLATE = 'portal_template'

/** Returns the URL of this run's server, which the global setup started. */
export function testPostgresUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) throw new Error('no PostgreSQL was started for this run')
  return url
}

/** Makes a migrated, empty database for one test file, because test files run at the same time. */
export async function testDatabase(log: Log = silentLog) {
  const { url, drop } = await createDatabase()
  const database = await openPostgresql(url, log)
  let emptier: Client | undefined
  return {
    ...database,
    url,
    /** Empties every table, also the activity log, which the product never empties. The tables stay. */
    async reset() {
      emptier ??= await emptierOf(url)
      await deleteAll(emptier)
    },
    async close() {
      await database.close()
      await emptier?.end()
      await drop()
    },
  }
}

/** Makes a database with or without tables, on the server of this run or another one. */
export async function createDatabase({ server = testPostgresUrl(), isMigrated = true } = {}) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const isOurs = server === process.env['TEST_DATABASE_URL']
  // By default PostgreSQL copies through its log, which takes six times as long for so few rows.
  const copied = isMigrated && isOurs ? ` TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY` : ''
  await execute(server, `CREATE DATABASE ${name}${copied}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Starts the server of a run and makes the template. */
export async function startTestPostgres(version: NonNullable<PostgresOptions['version']>) {
  const postgres = await startPostgres({ version })
  const database = await openPostgresql(await postgres.createDatabase(TEMPLATE), silentLog)
  await database.close()
  return { url: postgres.url('postgres'), stop: () => postgres.stop() }
}

const TABLES = `SELECT string_agg(format('DELETE FROM %I', tablename), '; ') AS statements FROM pg_tables WHERE schemaname = 'public'`

/** Connects as superuser, because triggers refuse DELETE to the owner. DELETE is much faster than TRUNCATE, which makes new files for all indexes. */
async function emptierOf(url: string): Promise<Client> {
  const asSuperuser = new URL(url)
  asSuperuser.username = 'postgres'
  const client = new Client({ connectionString: asSuperuser.href })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('SET session_replication_role = replica')
  return client
}

async function deleteAll(client: Client): Promise<void> {
  const { rows } = await client.query<{ statements: string }>(TABLES)
  await client.query(rows[0]!.statements)
}
