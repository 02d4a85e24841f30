import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../../server/db/embedded/openEmbedded.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { readSecrets, type Secrets } from '../../../server/secrets/secrets.ts'
import { startPostgres } from '../../support/database/postgres.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import { freshPem } from '../../support/server/testSecrets.ts'
import { execute, holdVouchers, issueVouchers, runSql, seedTills } from './counterSql.ts'
import { LEDGER } from './ledger.ts'

export interface BenchDatabase {
  url: string
  secrets: Secrets
  /** What a server process needs to run on it. */
  env: Record<string, string>
  remove(): Promise<void>
}

const JWT_SECRET = 'thirty-two bytes or more for a bench'

export const METRICS_TOKEN = 'a-token-for-the-metrics-of-a-bench'

export interface BenchServer {
  url: string
  server: ServerProcess
  secrets: Secrets
}

/** A server on an empty PostgreSQL of its own while `work` lasts. */
export async function withServer<T>(
  work: (place: BenchServer) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const postgres = await startPostgres({ durable: true })
  try {
    const url = await postgres.createDatabase('bench')
    const passwordKey = freshPem()
    const server = await startServer({ DATABASE_URL: url, JWT_SECRET, PASSWORD_KEY: passwordKey, ...env })
    try {
      return await work({ url, server, secrets: readSecrets(JWT_SECRET, passwordKey) })
    } finally {
      await server.stop()
    }
  } finally {
    await postgres.stop()
  }
}

/**
 * A PostgreSQL of a real size: a merchant with 200,000 redemptions (`ledger.ts`), and beside it `tills` with `vouchers` on hold, voucher
 * `n` at till `n` modulo `tills`.
 */
export async function startBenchDatabase(size: CounterSize): Promise<BenchDatabase> {
  const postgres = await startPostgres({ durable: true })
  const passwordKey = freshPem()
  const url = await postgres.createDatabase('bench')
  try {
    // Migrates it.
    await (await openPostgresql(url, silentLog)).close()
    await runSql(url, ...counter(size), ...LEDGER, 'VACUUM ANALYZE', 'CHECKPOINT')
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return {
    url,
    secrets: readSecrets(JWT_SECRET, passwordKey),
    env: { DATABASE_URL: url, JWT_SECRET, PASSWORD_KEY: passwordKey, METRICS_TOKEN },
    remove: () => postgres.stop(),
  }
}

interface CounterSize {
  tills: number
  vouchers: number
}

const counter = ({ tills, vouchers }: CounterSize) => [
  seedTills(tills),
  issueVouchers(vouchers),
  holdVouchers(vouchers, tills),
]

/** A folder for a server with a PostgreSQL of its own: `tills` with `vouchers` on hold, voucher `n` at till `n` modulo `tills`. */
export async function makeEmbeddedDatabase(size: CounterSize): Promise<Omit<BenchDatabase, 'url'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const passwordKey = freshPem()
  const database = await openEmbedded(dataDir, silentLog, { by: 'server' })
  for (const sql of counter(size)) await execute(database, sql)
  await database.close()
  return {
    secrets: readSecrets(JWT_SECRET, passwordKey),
    env: { DATA_DIR: dataDir, DEMO: 'off', JWT_SECRET: JWT_SECRET, PASSWORD_KEY: passwordKey },
    remove: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}
