import type { Table } from 'dexie'
import * as v from 'valibot'
import { deviceStore } from '../storage/userStore.ts'
import { dropOldestReads, isQuotaExceeded } from '../storage/withRoom.ts'
import type { StoredRead, UserDatabase } from '../store/databases.ts'
import { isPublicList, REFERENCE_LISTS, type ReferenceListKey } from '../store/referenceLists.ts'

export interface CachedAnswer<T> {
  data: T
  /** When the server answered. */
  asOf: Date
}

/** Enough for a day's browsing; the oldest are deleted first. */
const KEPT_READS = 200

/** A list for the choices of forms is stored beside the reference lists: browsing never removes it. */
const LIST = /^list\//

/** Returns a key for one of several questions with the same name: equal bodies give the same key, in any order of their fields. */
export const readKey = (name: string, body: unknown): string => `${name} ${JSON.stringify(body, inOrder)}`

/** Like `readKey`, for a list of choices that only a POST answers. */
export const listKey = (name: string, body: unknown): string => `list/${readKey(name, body)}`

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const isReferenceList = (key: string): key is ReferenceListKey => Object.hasOwn(REFERENCE_LISTS, key)

function shelfOf(store: UserDatabase, key: string): Table<StoredRead, string> {
  if (isReferenceList(key)) return isPublicList(key) ? deviceStore().lists : store.lists
  return LIST.test(key) ? store.lists : store.reads
}

/** Returns the last answer stored under `key`, read through the wire schema. A row that does not fit counts as missing. */
export async function readCached<S extends v.GenericSchema>(
  store: UserDatabase,
  key: string,
  schema: S,
): Promise<CachedAnswer<v.InferOutput<S>> | undefined> {
  const row = await shelfOf(store, key)
    .get(key)
    .catch(() => undefined)
  const parsed = v.safeParse(schema, row?.data)
  return row && parsed.success ? { data: parsed.output, asOf: new Date(row.fetchedAt) } : undefined
}

/** Asks the server, and stores its answer for offline use. It does not wait for the disk; if there is no room, the answer is still shown. */
export async function fetchAndCache<T>(
  store: UserDatabase,
  key: string,
  load: () => Promise<T>,
): Promise<CachedAnswer<T>> {
  const data = await load()
  const fetchedAt = Date.now()
  // Stored at once, although its rows are then painted a moment later: a user who then closes or reloads the tab keeps what was shown.
  void keepOrDropOlder(store, key, data, fetchedAt).catch(() => undefined)
  return { data, asOf: new Date(fetchedAt) }
}

/** A read may replace older reads, and nothing else. */
async function keepOrDropOlder(...read: Parameters<typeof keep>): Promise<void> {
  try {
    await keep(...read)
  } catch (error) {
    if (isQuotaExceeded(error) && (await dropOldestReads(read[0]))) await keep(...read)
  }
}

async function keep(store: UserDatabase, key: string, data: unknown, fetchedAt: number): Promise<void> {
  const shelf = shelfOf(store, key)
  if (shelf !== store.reads) return void (await shelf.put({ key, data, fetchedAt }))
  await store.transaction('rw', store.reads, async () => {
    await store.reads.put({ key, data, fetchedAt })
    const surplus = (await store.reads.count()) - KEPT_READS
    if (surplus > 0) await store.reads.bulkDelete(await store.reads.orderBy('fetchedAt').limit(surplus).primaryKeys())
  })
}
