import * as v from 'valibot'
import type { DraftRow } from '../store/userRows.ts'
import { deviceStore, userStore } from './userStore.ts'
import { withRoom } from './withRoom.ts'

/** The drafts of one user, or of the device. */
export interface Drafts {
  /** Returns the draft under `key`, if it fits `shape`. */
  read: <S extends v.GenericSchema>(key: string, shape: S) => Promise<Draft<v.InferOutput<S>> | undefined>
  /** Stores a draft and returns the time. Throws IndexedDB errors, for example on a full disk. */
  store: (key: string, values: unknown, link?: DraftRow['link']) => Promise<Date>
  remove: (key: string) => Promise<void>
}

export interface Draft<T> {
  values: T
  savedAt: Date
  link: DraftRow['link']
}

/**
 * Returns the drafts in the database of `owner`, or without an owner those in the device's database. If the user logs out, their
 * drafts are deleted; if the session ends, they stay. The database is chosen now: a write after a logout must not go into the next
 * user's database, or recreate a deleted one.
 */
export function draftsOf(owner: string | undefined): Drafts {
  const { drafts } = owner === undefined ? deviceStore() : userStore(owner)
  return {
    async read(key, shape) {
      const row = await drafts.get(key).catch(() => undefined)
      const parsed = v.safeParse(shape, row?.values)
      return row && parsed.success
        ? { values: parsed.output, savedAt: new Date(row.savedAt), link: row.link }
        : undefined
    },
    async store(key, values, link) {
      const savedAt = Date.now()
      await withRoom(() => drafts.put({ key, values, savedAt, link }))
      return new Date(savedAt)
    },
    remove: (key) => drafts.delete(key),
  }
}
