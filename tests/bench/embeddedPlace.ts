import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../server/db/embedded/openEmbedded.ts'
import { readSecrets } from '../../server/secrets/secrets.ts'
import { silentLog } from '../support/server/silentLog.ts'
import { freshPem } from '../support/server/testSecrets.ts'
import type { BenchDatabase } from './load/benchDatabase.ts'
import { holdVouchers, issueVouchers, seedTills } from './load/counterSql.ts'
import { execute } from './execute.ts'

const EMBEDDED_JWT_SECRET = 'thirty-two bytes or more for a bench'

/** A folder for a server with a PostgreSQL of its own: `tills` with `vouchers` on hold, voucher `n` at till `n` modulo `tills`. */
export async function makeEmbeddedDatabase({
  tills,
  vouchers,
}: {
  tills: number
  vouchers: number
}): Promise<Omit<BenchDatabase, 'url'>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'portal-bench-'))
  const passwordKey = freshPem()
  const database = await openEmbedded(dataDir, silentLog, { by: 'server' })
  for (const sql of [seedTills(tills), issueVouchers(vouchers), holdVouchers(vouchers, tills)]) {
    await execute(database, sql)
  }
  await database.close()
  return {
    secrets: readSecrets(EMBEDDED_JWT_SECRET, passwordKey),
    env: { DATA_DIR: dataDir, DEMO: 'off', JWT_SECRET: EMBEDDED_JWT_SECRET, PASSWORD_KEY: passwordKey },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
