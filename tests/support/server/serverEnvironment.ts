import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { createDatabase, testPostgresUrl } from '../database/testDatabase.ts'
import { silentLog } from './silentLog.ts'
import { freshPem, JWT_SECRET } from './testSecrets.ts'

export type ServerEnvironment = Awaited<ReturnType<typeof serverEnvironment>>

interface PlaceOptions {
  /** The URL of any database on the PostgreSQL to use; otherwise that of this run. */
  server?: string | undefined
  /** The folder for everything that is not in the database; otherwise a temporary one. */
  folder?: string
  /** If false, the server makes the tables when it starts. */
  isMigrated?: boolean
}

/** Makes a database and a folder for server processes. */
export async function serverEnvironment({
  server = testPostgresUrl(),
  folder = tmpdir(),
  isMigrated = true,
}: PlaceOptions = {}) {
  const dataDir = mkdtempSync(join(folder, 'place-'))
  const { url, drop } = await createDatabase({ server, isMigrated })
  const keys = { JWT_SECRET, PASSWORD_KEY: freshPem() }
  // The PostgreSQL of the tests does not write safely to disk.
  const env = { DURABILITY: 'optional', DATA_DIR: dataDir, MFA: 'optional', DEMO: 'off', ...keys, DATABASE_URL: url }
  return {
    env,
    open: () => openPostgresql(url, silentLog),
    async remove() {
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
