import { claimUnswept, markUploadsSwept, type UploadRow } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import type { FileStore } from '../../store/FileStore.ts'

/** Twelve times the life of an address: nothing arrives any more, and nobody has attached what did. */
const KEPT_MINUTES = 60
const AT_ONCE = 100

/**
 * Removes what was uploaded and came to nothing within the hour, and what an address brought after its file was confirmed
 * (UPL-07). Any number of servers may sweep at the same time. Answers how many rows it saw to.
 */
export async function sweepUploads({
  database,
  store,
  clock,
}: Pick<Deps, 'database' | 'store' | 'clock'>): Promise<number> {
  const { db } = database
  const now = clock.now()
  const until = new Date(now.getTime() - KEPT_MINUTES * 60_000)
  let swept = 0
  for (;;) {
    const rows = await claimUnswept(db, until, AT_ONCE)
    // First the files, then the rows: a process that dies in between leaves rows to find the files by.
    await Promise.all(rows.map((row) => removeFiles(store, row)))
    if (rows.length > 0) await markUploadsSwept(db, rows, now)
    swept += rows.length
    if (rows.length < AT_ONCE) return swept
  }
}

async function removeFiles(store: FileStore, { key, state }: UploadRow): Promise<void> {
  await store.remove(`incoming/${key}`)
  if (state !== 'confirmed') await store.remove(`stored/${key}`)
}
