import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { createDatabase, testPostgresUrl } from '../database/testDatabase.ts'
import { silentLog } from './silentLog.ts'
import { freshPem, JWT_SECRET } from './testSecrets.ts'

export type ServerEnvironment = Awaited<ReturnType<typeof serverEnvironment>>

interface PlaceOptions {
  /** Any database of the PostgreSQL to use; else that of this run. */
  server?: string | undefined
  /** Of what is not in the database; else among the temporary files. */
  folder?: string
  /** Else the server that starts has to make the tables. */
  isMigrated?: boolean
}

/** A database and a folder for server processes. */
export async function serverEnvironment({
  server = testPostgresUrl(),
  folder = tmpdir(),
  isMigrated = true,
}: PlaceOptions = {}) {
  const dataDir = mkdtempSync(join(folder, 'place-'))
  const { url, drop } = await createDatabase({ server, isMigrated })
  const keys = { JWT_SECRET, PASSWORD_KEY: freshPem() }
  // The tests' own PostgreSQL skips the disk.
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
