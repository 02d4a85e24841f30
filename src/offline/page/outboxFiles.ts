import type { OutboxRow } from '../store/userRows.ts'
import type { UserDatabase } from '../store/userDatabase.ts'
import { withRoom } from '../storage/withRoom.ts'
import { pruneOutbox } from '../outbox/outboxRetention.ts'
import { partId, periodOfParts } from '../outbox/downloadRequests.ts'
import type { DownloadedFile } from './Send.ts'

type Kept = Omit<DownloadedFile, 'kind'>

/** Bytes and state in one transaction: Ready always has its file. Gives its name; undefined for a row discarded meanwhile. */
export async function storeFile(store: UserDatabase, id: string, file: Kept): Promise<string | undefined> {
  const { bytes, filename, type } = file
  return orNoRoom(store, id, async () => {
    const kept = await store.transaction('rw', store.outbox, store.files, async () => {
      const settled = { settledAt: Date.now(), trouble: undefined, lineFault: undefined, partsKept: undefined }
      const changed = await store.outbox.update(id, { state: 'ready', filename, size: bytes.byteLength, ...settled })
      await store.files.where('id').startsWith(`${id}/`).delete()
      if (changed > 0) await store.files.put({ id, bytes, type })
      return changed > 0
    })
    await pruneOutbox(store)
    return kept ? filename : undefined
  })
}

/** Parts are asked for in turn, so their number is the index of the next one. */
export const countStoredParts = (store: UserDatabase, id: string): Promise<number> =>
  Promise.resolve(store.files.where('id').startsWith(`${id}/`).count())

/** A part lies on the device before the next is asked for: a restart goes on behind it. */
export async function storePart(store: UserDatabase, id: string, part: number, file: Kept): Promise<boolean> {
  const { bytes, type } = file
  const kept = await orNoRoom(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const progress = { attempts: 0, partsKept: part + 1, trouble: undefined, lineFault: undefined }
      const changed = await store.outbox.update(id, progress)
      if (changed > 0) await store.files.put({ id: partId(id, part), bytes, type })
      return changed > 0
    }),
  )
  return kept ?? false
}

/** All parts as one file, or the row failed with words: parts that do not add up are downloaded again. */
export async function storeMerged(store: UserDatabase, row: OutboxRow): Promise<string | undefined> {
  const parts = await store.files.where('id').startsWith(`${row.id}/`).sortBy('id')
  // Loaded with the first merge: the queue runs on every screen, and seldom has parts.
  const { mergeReports } = await import('../outbox/mergeReports.ts')
  const merged = mergeReports(
    parts.map(({ bytes }) => bytes),
    periodOfParts(row.intent) ?? '',
  )
  if (merged.kind === 'merged') {
    return storeFile(store, row.id, { bytes: merged.bytes, filename: row.title, type: parts[0]?.type ?? 'text/csv' })
  }
  await store.transaction('rw', store.outbox, store.files, async () => {
    await store.files.where('id').startsWith(`${row.id}/`).delete()
    const failed = { state: 'failed', trouble: merged.trouble, partsKept: undefined, settledAt: Date.now() } as const
    await store.outbox.update(row.id, failed)
  })
  return undefined
}

async function orNoRoom<T>(store: UserDatabase, id: string, keep: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withRoom(keep)
  } catch {
    const trouble = 'This device has no room for the file. Free some space, then retry.'
    await store.outbox.update(id, { state: 'failed', trouble, settledAt: Date.now() })
    return undefined
  }
}
