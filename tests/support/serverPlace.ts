import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../server/db/openDatabase.ts'
import { createDatabase } from './engines.ts'
import { silentLog } from './silentLog.ts'
import { freshPem } from './testSecrets.ts'

export type ServerPlace = Awaited<ReturnType<typeof serverPlace>>

/** Where a server process keeps its rows: a folder of the embedded engine, or a database of the PostgreSQL under test. */
export async function serverPlace(postgres = process.env['TEST_DATABASE_URL'], folder = tmpdir()) {
  const dataDir = mkdtempSync(join(folder, 'place-'))
  const { url, drop } = postgres ? await createDatabase(postgres) : { url: undefined, drop: async () => undefined }
  const keys = { JWT_SECRET: 'a secret of at least thirty-two bytes', PASSWORD_KEY: freshPem() }
  // The tests' own PostgreSQL skips the disk.
  const common = { DURABILITY: 'optional', DATA_DIR: dataDir, MFA: 'optional', DEMO: 'off', ...keys }
  return {
    env: url === undefined ? common : { ...common, DATABASE_URL: url },
    open: () => openDatabase(url === undefined ? { dataDir } : { url }, silentLog),
    async remove() {
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
