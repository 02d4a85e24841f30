import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import type { Log } from '../../../server/log.ts'
import { silentLog } from '../server/silentLog.ts'
import { execute, startPostgres, type PostgresOptions } from './postgres.ts'

export type TestDatabase = Awaited<ReturnType<typeof testDatabase>>

/** What every test database is a copy of: migrated once a run, and empty. */
const TEMPLATE = 'portal_template'

/** The server of this run, as its global setup started it. */
export function testPostgresUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined) throw new Error('no PostgreSQL was started for this run')
  return url
}

/** A database of its own, migrated and empty: test files run at the same time. */
export async function testDatabase(log: Log = silentLog) {
  const { url, drop } = await createDatabase()
  const database = await openPostgresql(url, log)
  let emptier: Client | undefined
  return {
    ...database,
    url,
    /** Empties every table, the activity log included, which else is never emptied; the schema stays. */
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

/** A migrated database, or one without any table, on the server of this run or another one. */
export async function createDatabase({ server = testPostgresUrl(), isMigrated = true } = {}) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const isOurs = server === process.env['TEST_DATABASE_URL']
  // Through its log, as is the default, PostgreSQL takes six times as long for so few rows.
  const copied = isMigrated && isOurs ? ` TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY` : ''
  await execute(server, `CREATE DATABASE ${name}${copied}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Starts the server of a run, with the template. */
export async function startTestPostgres(version: NonNullable<PostgresOptions['version']>) {
  const postgres = await startPostgres({ version })
  const database = await openPostgresql(await postgres.createDatabase(TEMPLATE), silentLog)
  await database.close()
  return { url: postgres.url('postgres'), stop: () => postgres.stop() }
}

const TABLES = `SELECT string_agg(format('DELETE FROM %I', tablename), '; ') AS statements FROM pg_tables WHERE schemaname = 'public'`

/** As superuser, for triggers refuse it to the owner. Much faster than TRUNCATE, which makes every file of every index anew. */
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
