import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { readSecrets } from '../../server/secrets.ts'
import { startServer } from '../support/serverProcess.ts'
import { silentLog } from '../support/silentLog.ts'
import { freshPem } from '../support/testSecrets.ts'
import { type ApiLoad, apiLoad } from './apiLoad.ts'
import { holdVouchers, issueVouchers, seedTills } from './counter.ts'
import { execute } from './execute.ts'
import type { Rate } from './rate.ts'

export const EMBEDDED_TILLS = 16
/** It redeems fewer than PostgreSQL; more vouchers would only take longer to make. */
const SHARE_OF_VOUCHERS = 0.25
const JWT_SECRET = 'thirty-two bytes or more for a bench'

/** Redemptions through the API of a server process with the embedded engine, on disk; its folder is filled before it starts. */
export async function embeddedRedemptions(load: Omit<ApiLoad, 'server' | 'secrets'>): Promise<Rate> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const passwordKey = freshPem()
  const vouchers = Math.round(load.vouchers * SHARE_OF_VOUCHERS)
  try {
    const database = await openDatabase({ dataDir }, silentLog)
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
      return await apiLoad({ ...load, vouchers, server, secrets: readSecrets(JWT_SECRET, passwordKey) })
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
