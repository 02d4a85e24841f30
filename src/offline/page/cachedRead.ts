import * as v from 'valibot'
import type { UserDatabase } from '../store/userDatabase.ts'

export interface Kept<T> {
  data: T
  /** When the server said so. */
  asOf: Date
}

/** Enough for a day's browsing; the oldest go first. */
const KEPT_READS = 200

/** The last answer kept under `key`, read through the schema of the wire: another release's row counts as none. */
export async function keptRead<S extends v.GenericSchema>(
  store: UserDatabase,
  key: string,
  schema: S,
): Promise<Kept<v.InferOutput<S>> | undefined> {
  const row = await store.reads.get(key).catch(() => undefined)
  const parsed = v.safeParse(schema, row?.data)
  return row && parsed.success ? { data: parsed.output, asOf: new Date(row.fetchedAt) } : undefined
}

/** Asks the server and keeps its answer for offline. Nobody waits for the disk, and one without room still shows the answer. */
export async function freshRead<T>(store: UserDatabase, key: string, load: () => Promise<T>): Promise<Kept<T>> {
  const data = await load()
  const fetchedAt = Date.now()
  void keep(store, key, data, fetchedAt).catch(() => undefined)
  return { data, asOf: new Date(fetchedAt) }
}

const keep = (store: UserDatabase, key: string, data: unknown, fetchedAt: number) =>
  store.transaction('rw', store.reads, async () => {
    await store.reads.put({ key, data, fetchedAt })
    const surplus = (await store.reads.count()) - KEPT_READS
    if (surplus > 0) await store.reads.bulkDelete(await store.reads.orderBy('fetchedAt').limit(surplus).primaryKeys())
  })
