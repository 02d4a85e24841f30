import { liveQuery } from 'dexie'
import * as v from 'valibot'
import type { ReportRequest } from '../../contract/reports/report.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import { userStore } from '../storage/userStore.ts'
import { withRoom } from '../storage/withRoom.ts'
import type { UserDatabase } from '../store/databases.ts'
import { NO_REST } from '../store/rest.ts'
import { OutboxRow } from '../store/userRows.ts'

/** Queues a download for its owner, once: the same wish that already waits is not queued again (offline 36). */
export function enqueueDownload(owner: string, id: string, intent: ReportRequest, title: string): Promise<OutboxRow> {
  const store = userStore(owner)
  const add = async () => {
    const waiting = (await readOutbox(store)).find((row) => isPendingDownload(row) && sameIntent(row.intent, intent))
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
export const isPendingDownload = ({ state }: OutboxRow) => state === 'waiting' || state === 'sending'
/** Still somebody's business: everything but what was saved. */
export const isOpenDownload = ({ state }: OutboxRow) => state !== 'saved'

/** Every readable row, newest first. A row of a release this code does not know stays stored, and is left alone. */
export async function readOutbox(store: UserDatabase): Promise<OutboxRow[]> {
  return readable(await store.outbox.orderBy('createdAt').reverse().toArray())
}

/** Tells the rows now and whenever they change, in any tab. Returns its end. */
export function followOutbox(owner: string, told: (rows: OutboxRow[]) => void): () => void {
  const store = userStore(owner)
  const following = liveQuery(() => readOutbox(store)).subscribe({ next: told, error: () => undefined })
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

/** Puts a failed or backing-off download at the front again. */
export async function retryDownload(owner: string, id: string): Promise<void> {
  const cleared = { trouble: undefined, settledAt: undefined, gone: undefined, ...NO_REST }
  await userStore(owner).outbox.update(id, { state: 'waiting', ...cleared })
}

/** Takes a download off the device, its file included. */
export function discardDownload(owner: string, id: string): Promise<void> {
  const store = userStore(owner)
  return store.transaction('rw', store.outbox, store.files, async () => {
    await store.outbox.delete(id)
    await store.files.delete(id)
  })
}

/** The bytes of a finished download, for handing over. */
export const readDownloadedFile = (owner: string, id: string) => userStore(owner).files.get(id)

/** The person has the file: its bytes leave the device, its row stays. */
export function markSaved(owner: string, id: string): Promise<void> {
  const store = userStore(owner)
  return store.transaction('rw', store.outbox, store.files, async () => {
    await store.outbox.update(id, { state: 'saved', settledAt: Date.now() })
    await store.files.delete(id)
  })
}

/**
 * The file of a download, and its name if it lies on the device now. Bytes and state in one transaction: Ready always has its file.
 * `undefined` of a row that was discarded meanwhile, or failed for want of room.
 */
export async function storeFile(store: UserDatabase, id: string, file: DownloadedFile): Promise<string | undefined> {
  const { bytes, filename, type } = file
  const isStored = await orNoRoom(store, id, () =>
    store.transaction('rw', store.outbox, store.files, async () => {
      const settled = { settledAt: Date.now(), trouble: undefined, ...NO_REST }
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
