import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../server/db/embedded/openEmbedded.ts'
import { readSecrets } from '../../server/secrets.ts'
import { startServer } from '../support/serverProcess.ts'
import { silentLog } from '../support/silentLog.ts'
import { freshPem } from '../support/testSecrets.ts'
import { type ApiLoad, apiLoad } from './apiLoad.ts'
import { holdVouchers, issueVouchers, seedTills } from './counter.ts'
import { execute } from './execute.ts'
import type { Rate } from './rate.ts'

export const EMBEDDED_TILLS = 16
const JWT_SECRET = 'thirty-two bytes or more for a bench'

/** Redemptions through the API of a server process with a PostgreSQL of its own; its folder is filled before it starts. */
export async function embeddedRedemptions(load: Omit<ApiLoad, 'server' | 'secrets'>): Promise<Rate> {
  const { vouchers } = load
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const passwordKey = freshPem()
  try {
    const database = await openEmbedded(dataDir, silentLog, { by: 'server' })
    for (const sql of [
      seedTills(load.connections),
      issueVouchers(vouchers),
      holdVouchers(vouchers, load.connections),
    ]) {
      await execute(database, sql)
    }
    await database.close()
    const server = await startServer({ DATA_DIR: dataDir, DEMO: 'off', JWT_SECRET, PASSWORD_KEY: passwordKey })
    try {
      return await apiLoad({ ...load, server, secrets: readSecrets(JWT_SECRET, passwordKey) })
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
