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

/** Enough for a day of browsing. The oldest reads are deleted first. */
const KEPT_READS = 200

/** Lists of choices for forms are stored with the reference lists, so that browsing never removes them. */
const CHOICE_LIST = /^list\//

/** Returns the key of a question with this name and body. The order of the body's fields does not change the key. */
export const readKey = (name: string, body: unknown): string => `${name} ${JSON.stringify(body, sortFields)}`

/** Like `readKey`, for a list of choices that is read with a POST. */
export const listKey = (name: string, body: unknown): string => `list/${readKey(name, body)}`

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const isReferenceList = (key: string): key is ReferenceListKey => Object.hasOwn(REFERENCE_LISTS, key)

function chooseTable(store: UserDatabase, key: string): Table<StoredRead, string> {
  if (isReferenceList(key)) return isPublicList(key) ? deviceStore().lists : store.lists
  return CHOICE_LIST.test(key) ? store.lists : store.reads
}

/** Returns the last answer stored under `key`, parsed with `schema`. A row that does not fit counts as missing. */
export async function readCached<S extends v.GenericSchema>(
  store: UserDatabase,
  key: string,
  schema: S,
): Promise<CachedAnswer<v.InferOutput<S>> | undefined> {
  const row = await chooseTable(store, key)
    .get(key)
    .catch(() => undefined)
  const parsed = v.safeParse(schema, row?.data)
  return row && parsed.success ? { data: parsed.output, asOf: new Date(row.fetchedAt) } : undefined
}

/** Asks the server and stores its answer for offline use. Does not wait for the disk, because an answer without room is shown, too. */
export async function fetchAndCache<T>(
  store: UserDatabase,
  key: string,
  load: () => Promise<T>,
): Promise<CachedAnswer<T>> {
  const data = await load()
  const fetchedAt = Date.now()
  // Before the rows are painted, so that a user who then closes or reloads the tab finds them again.
  void storeOrDropOlder(store, key, data, fetchedAt).catch(() => undefined)
  return { data, asOf: new Date(fetchedAt) }
}

/** Stores a read. On a full device it replaces only older reads. */
async function storeOrDropOlder(...read: Parameters<typeof storeRead>): Promise<void> {
  try {
    await storeRead(...read)
  } catch (error) {
    if (isQuotaExceeded(error) && (await dropOldestReads(read[0]))) await storeRead(...read)
  }
}

async function storeRead(store: UserDatabase, key: string, data: unknown, fetchedAt: number): Promise<void> {
  const table = chooseTable(store, key)
  if (table !== store.reads) return void (await table.put({ key, data, fetchedAt }))
  await store.transaction('rw', store.reads, async () => {
    await store.reads.put({ key, data, fetchedAt })
    const surplus = (await store.reads.count()) - KEPT_READS
    if (surplus > 0) await store.reads.bulkDelete(await store.reads.orderBy('fetchedAt').limit(surplus).primaryKeys())
  })
}
