import type { Log } from '../log.ts'
import type { Database } from './Database.ts'

export type DatabasePlace = { url: string } | { dataDir: string } | { memory: true }

/**
 * Opens and migrates the database: PostgreSQL by `url`, else the embedded engine in a folder (one process only) or in memory
 * (tests). Throws DataDirLocked when another process has the folder.
 */
export async function openDatabase(place: DatabasePlace, log: Log): Promise<Database> {
  if ('url' in place) {
    const { openPostgresql } = await import('./openPostgresql.ts')
    return openPostgresql(place.url, log)
  }
  const { openEmbedded } = await import('./openEmbedded.ts')
  return openEmbedded('dataDir' in place ? place.dataDir : undefined, log)
}
