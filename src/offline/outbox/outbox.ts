import { liveQuery } from 'dexie'
import * as v from 'valibot'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import { userStore } from '../storage/userStore.ts'
import { withRoom } from '../storage/withRoom.ts'
import type { UserDatabase } from '../store/databases.ts'
import { DUE_NOW } from '../store/retryState.ts'
import { OutboxRow } from '../store/userRows.ts'

/** Queues a download for its owner. If the same request already waits, it returns that row and queues nothing (offline 36). */
export function enqueueDownload(owner: string, id: string, intent: ReportRequest, title: string): Promise<OutboxRow> {
  const store = userStore(owner)
  const add = async () => {
    const waiting = (await readOutbox(store)).find(
      (row) => isUnansweredDownload(row) && isSameIntent(row.intent, intent),
    )
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

const isSameIntent = (a: ReportRequest, b: ReportRequest) => JSON.stringify(a) === JSON.stringify(b)
/** True for a download that the server has not answered yet. */
export const isUnansweredDownload = ({ state }: OutboxRow) => state === 'waiting' || state === 'sending'
/** True for every download that is not saved yet. */
export const isUnsavedDownload = ({ state }: OutboxRow) => state !== 'saved'

/** Returns every readable row, newest first. Rows of a newer release are not returned, but stay stored unchanged. */
export async function readOutbox(store: UserDatabase): Promise<OutboxRow[]> {
  return parseRows(await store.outbox.orderBy('createdAt').reverse().toArray())
}

/** Calls `onRows` now and after each change in any tab. Returns a function that stops this. */
export function followOutbox(owner: string, onRows: (rows: OutboxRow[]) => void): () => void {
  const store = userStore(owner)
  const subscription = liveQuery(() => readOutbox(store)).subscribe({ next: onRows, error: () => undefined })
  return () => subscription.unsubscribe()
}

export async function readDownload(store: UserDatabase, id: string): Promise<OutboxRow | undefined> {
  return parseRows([await store.outbox.get(id)])[0]
}

const parseRows = (rows: unknown[]): OutboxRow[] =>
  rows.flatMap((row) => {
    const parsed = v.safeParse(OutboxRow, row)
    return parsed.success ? [parsed.output] : []
  })

/** Queues a failed or paused download to be sent now. */
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

/** Reads the stored file of a finished download. */
export const readDownloadedFile = (owner: string, id: string) => userStore(owner).files.get(id)

/** Marks a download as saved. Its file stays while there is room, because no page learns whether the browser wrote it to the disk. */
export async function markSaved(owner: string, id: string): Promise<void> {
  await userStore(owner).outbox.update(id, { state: 'saved', settledAt: Date.now() })
}

/**
 * Stores the file of a download and resolves to its name. Writes bytes and state in one transaction, so that a `ready` row always
 * has its file. Resolves to undefined if the row was discarded meanwhile, or if there is no room.
 */
export async function storeFile(store: UserDatabase, id: string, file: DownloadedFile): Promise<string | undefined> {
  const { bytes, filename, type } = file
  const isStored = await writeOrFail(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const settled = { settledAt: Date.now(), trouble: undefined, ...DUE_NOW }
      const changed = await store.outbox.update(id, { state: 'ready', filename, size: bytes.byteLength, ...settled })
      if (changed > 0) await store.files.put({ id, bytes, type })
      return changed > 0
    }),
  )
  return isStored ? filename : undefined
}

/** Writes the file, or marks the row as failed if there is no room. */
async function writeOrFail<T>(store: UserDatabase, id: string, write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withRoom(write)
  } catch {
    const trouble = 'This device has no room for the file. Free some space, then retry.'
    await store.outbox.update(id, { state: 'failed', trouble, settledAt: Date.now() })
    return undefined
  }
}
