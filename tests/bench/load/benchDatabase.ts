import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { readSecrets, type Secrets } from '../../../server/secrets/secrets.ts'
import { startPostgres } from '../../support/database/postgres.ts'
import { freePort } from '../../support/server/freePort.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { freshPem } from '../../support/server/testSecrets.ts'
import { counterRows, runSql, single, type CounterSize } from './counterSql.ts'

export interface BenchPlace {
  secrets: Secrets
  /** The environment variables of a server process on this database. */
  env: Record<string, string>
}

export interface BenchDatabase extends BenchPlace {
  url: string
}

const JWT_SECRET = 'thirty-two bytes or more for a bench'

export const METRICS_TOKEN = 'a-token-for-the-metrics-of-a-bench'

function placeOf(env: Record<string, string>): BenchPlace {
  const passwordKey = freshPem()
  return {
    secrets: readSecrets(JWT_SECRET, passwordKey),
    env: { JWT_SECRET, PASSWORD_KEY: passwordKey, METRICS_TOKEN, ...env },
  }
}

/** Runs `work` with a new PostgreSQL that holds the rows of these statements. */
export async function withDatabase<T>(rows: string[], work: (place: BenchDatabase) => Promise<T>): Promise<T> {
  const postgres = await startPostgres({ durable: true })
  try {
    const url = await postgres.createDatabase('bench')
    // Opening it runs the migrations.
    await (await openPostgresql(url, silentLog)).close()
    await runSql(url, ...rows, 'VACUUM ANALYZE', 'CHECKPOINT')
    return await work({ ...placeOf({ DATABASE_URL: url }), url })
  } finally {
    await postgres.stop()
  }
}

/** Runs `work` with a data folder for a server that starts its own PostgreSQL. */
export async function withEmbedded<T>(size: CounterSize, work: (place: BenchPlace) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  try {
    const database = await openEmbedded(dataDir, silentLog, { by: 'server' })
    for (const statement of counterRows(size).flatMap(single)) await database.db.execute(sql.raw(statement))
    await database.close()
    return await work(placeOf({ DATA_DIR: dataDir, DEMO: 'off' }))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Runs `work` with `count` server processes. */
export async function withServers<T>(
  env: Record<string, string>,
  count: number,
  work: (servers: ServerProcess[]) => Promise<T>,
): Promise<T> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  // One address for all, as behind a proxy: it is in every token.
  const PUBLIC_URL = `http://127.0.0.1:${ports[0]}`
  const servers = await Promise.all(ports.map((port) => startServer({ PUBLIC_URL, ...env }, port)))
  try {
    return await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** Runs `work` with one server on a new PostgreSQL that holds these rows; `env` adds variables. */
export const withServer = <T>(
  rows: string[],
  work: (server: ServerProcess, place: BenchDatabase) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> =>
  withDatabase(rows, (place) => withServers({ ...place.env, ...env }, 1, ([server]) => work(server!, place)))
