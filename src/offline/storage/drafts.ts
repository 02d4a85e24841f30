import * as v from 'valibot'
import { deviceStore, userStore } from './userStore.ts'
import { withRoom } from './withRoom.ts'

/** The store of drafts of one user, or of the device. */
export interface Drafts {
  /** Returns the draft under `key`, if it has that shape. */
  read: <S extends v.GenericSchema>(key: string, shape: S) => Promise<Draft<v.InferOutput<S>> | undefined>
  /** Throws what IndexedDB throws: a full disk, a deleted database. */
  keep: (key: string, values: unknown) => Promise<Date>
  drop: (key: string) => Promise<void>
}

interface Draft<T> {
  values: T
  savedAt: Date
}

/**
 * Returns the drafts of `owner` in their own database, which a chosen logout deletes and a timeout keeps; without an owner those in
 * the device's database. The database is chosen now: a late write after a logout must not go into the next user's database or
 * recreate a deleted one.
 */
export function draftsOf(owner: string | undefined): Drafts {
  const { drafts } = owner === undefined ? deviceStore() : userStore(owner)
  return {
    async read(key, shape) {
      const row = await drafts.get(key).catch(() => undefined)
      const parsed = v.safeParse(shape, row?.values)
      return row && parsed.success ? { values: parsed.output, savedAt: new Date(row.savedAt) } : undefined
    },
    async keep(key, values) {
      const savedAt = Date.now()
      await withRoom(() => drafts.put({ key, values, savedAt }))
      return new Date(savedAt)
    },
    drop: (key) => drafts.delete(key),
  }
}
