import { Dexie } from 'dexie'
import type { UserDatabase } from '../store/databases.ts'
import { reportStorageFull } from './storageHealth.ts'
import { currentStore } from './userStore.ts'

/**
 * Stores something that must not be lost. On a full device it makes room first (rule 14.9): it deletes saved downloads, then the
 * oldest reads, because both can be fetched again. If that is not enough, it reports the full storage to the page and throws the
 * IndexedDB error. It never deletes queued or ready downloads, drafts or money.
 */
export async function withRoom<T>(write: () => PromiseLike<T>): Promise<T> {
  for (;;) {
    try {
      const stored = await write()
      reportStorageFull(false)
      return stored
    } catch (error) {
      if (!isQuotaExceeded(error)) throw error
      if (await dropCheapest(currentStore()).catch(() => false)) continue
      reportStorageFull(true)
      throw error
    }
  }
}

/** True if the device is full. Dexie wraps the browser's own error. */
export function isQuotaExceeded(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { inner } = error as { inner?: unknown }
  return error.name === Dexie.errnames.QuotaExceeded || (inner !== error && isQuotaExceeded(inner))
}

/** Deletes the cheapest data. Returns false when there is nothing left to delete. */
async function dropCheapest(store: UserDatabase | undefined): Promise<boolean> {
  return store !== undefined && ((await dropSaved(store)) || dropOldestReads(store))
}

async function dropSaved({ outbox, files }: UserDatabase) {
  const saved = await outbox.filter(({ state }) => state === 'saved').primaryKeys()
  await files.bulkDelete(saved)
  await outbox.bulkDelete(saved)
  return saved.length > 0
}

/** Deletes the older half of the reads, because they are small and many. Returns false when none were left. */
export async function dropOldestReads({ reads }: Pick<UserDatabase, 'reads'>): Promise<boolean> {
  const surplus = Math.ceil((await reads.count()) / 2)
  await reads.bulkDelete(await reads.orderBy('fetchedAt').limit(surplus).primaryKeys())
  return surplus > 0
}
