import { liveQuery } from 'dexie'
import * as v from 'valibot'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import { userStore } from '../storage/userStore.ts'
import { withRoom } from '../storage/withRoom.ts'
import type { UserDatabase } from '../store/databases.ts'
import { DUE_NOW } from '../store/retryState.ts'
import { OutboxRow } from '../store/userRows.ts'

/** Queues a download for its owner once: a request that already waits is not queued again (offline 36). */
export function enqueueDownload(owner: string, id: string, intent: ReportRequest, title: string): Promise<OutboxRow> {
  const store = userStore(owner)
  const add = async () => {
    const waiting = (await readOutbox(store)).find((row) => isUnansweredDownload(row) && sameIntent(row.intent, intent))
    if (waiting) return waiting
    const row: OutboxRow = {
      id,
      owner,
      intent,
      title,
      state: 'waiting',
      createdAt: Date.now(),
      attempts: 0,
      nextAt: 0,
      leaseUntil: 0,
      received: 0,
    }
    await store.outbox.add(row)
    return row
  }
  return withRoom(() => store.transaction('rw', store.outbox, add))
}

const sameIntent = (a: ReportRequest, b: ReportRequest) => JSON.stringify(a) === JSON.stringify(b)
/** True for a download that the server has not answered yet. */
export const isUnansweredDownload = ({ state }: OutboxRow) => state === 'waiting' || state === 'sending'
/** True for every download that is not saved yet. */
export const isUnsavedDownload = ({ state }: OutboxRow) => state !== 'saved'

/** Returns every readable row, newest first. A row that a newer release wrote stays stored and unchanged. */
export async function readOutbox(store: UserDatabase): Promise<OutboxRow[]> {
  return readable(await store.outbox.orderBy('createdAt').reverse().toArray())
}

/** Passes on the rows now and after each change in any tab. Returns the function that ends it. */
export function followOutbox(owner: string, onRows: (rows: OutboxRow[]) => void): () => void {
  const store = userStore(owner)
  const following = liveQuery(() => readOutbox(store)).subscribe({ next: onRows, error: () => undefined })
  return () => following.unsubscribe()
}

export async function readDownload(store: UserDatabase, id: string): Promise<OutboxRow | undefined> {
  return readable([await store.outbox.get(id)])[0]
}

const readable = (rows: unknown[]): OutboxRow[] =>
  rows.flatMap((row) => {
    const parsed = v.safeParse(OutboxRow, row)
    return parsed.success ? [parsed.output] : []
  })

/** Queues a failed or paused download for now. */
export async function retryDownload(owner: string, id: string): Promise<void> {
  const cleared = { trouble: undefined, settledAt: undefined, gone: undefined, ...DUE_NOW }
  await userStore(owner).outbox.update(id, { state: 'waiting', ...cleared })
}

/** Deletes a download from the device, with its file. */
export function discardDownload(owner: string, id: string): Promise<void> {
  const store = userStore(owner)
  return store.transaction('rw', store.outbox, store.files, async () => {
    await store.outbox.delete(id)
    await store.files.delete(id)
  })
}

/** The bytes of a finished download, to save them. */
export const readDownloadedFile = (owner: string, id: string) => userStore(owner).files.get(id)

/** The bytes stay as well, for as long as there is room: no page learns if the browser has written the file. */
export async function markSaved(owner: string, id: string): Promise<void> {
  await userStore(owner).outbox.update(id, { state: 'saved', settledAt: Date.now() })
}

/**
 * Stores the file of a download and returns its name. Bytes and state are written in one transaction: Ready always has its file.
 * Returns `undefined` if the row was discarded meanwhile, or failed because there is no room.
 */
export async function storeFile(store: UserDatabase, id: string, file: DownloadedFile): Promise<string | undefined> {
  const { bytes, filename, type } = file
  const isStored = await orNoRoom(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const settled = { settledAt: Date.now(), trouble: undefined, ...DUE_NOW }
      const changed = await store.outbox.update(id, { state: 'ready', filename, size: bytes.byteLength, ...settled })
      if (changed > 0) await store.files.put({ id, bytes, type })
      return changed > 0
    }),
  )
  return isStored ? filename : undefined
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
