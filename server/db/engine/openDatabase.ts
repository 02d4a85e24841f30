import type { Log } from '../../log.ts'
import type { EmbeddedUse } from '../embedded/openEmbedded.ts'
import type { Database } from './Database.ts'

export interface DatabasePlace {
  databaseUrl: string | undefined
  dataDir: string
}

/**
 * Opens and migrates the database: the PostgreSQL of `databaseUrl`, else an embedded one in `dataDir`.
 * @throws EmbeddedError when the embedded one cannot run, or another process uses it
 */
export async function openDatabase(
  { databaseUrl, dataDir }: DatabasePlace,
  log: Log,
  use: EmbeddedUse = { by: 'server' },
): Promise<Database> {
  if (databaseUrl !== undefined) {
    const { openPostgresql } = await import('./openPostgresql.ts')
    return openPostgresql(databaseUrl, log)
  }
  const { openEmbedded } = await import('../embedded/openEmbedded.ts')
  return openEmbedded(dataDir, log, use)
}
