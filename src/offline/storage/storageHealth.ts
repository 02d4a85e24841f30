import { Dexie } from 'dexie'
import { proxy } from 'valtio/vanilla'
import type { WatchedDatabase } from '../store/databases.ts'

/**
 * - `broken`: a database is there and does not open, as when an upgrade throws; what is in it is whole
 * - `blocked`: another window keeps it from opening
 * - `refused`: this browser stores nothing
 */
export type ClosedStorage = 'broken' | 'blocked' | 'refused'
export type StorageState = 'none' | 'full' | ClosedStorage

/** What is wrong with the storage of this device, the worst of all its databases (cases 23). `reopened` counts recoveries. */
export const storageHealth = proxy<{ trouble: StorageState; reopened: number }>({ trouble: 'none', reopened: 0 })

const OPENS_WITHIN_MS = 2_500
const WORST_FIRST = ['broken', 'blocked', 'refused'] as const

const closed = new Map<WatchedDatabase, ClosedStorage>()
let isFull = false

/** The one place where a database of the page that does not open is noticed, whichever it is. */
export function watchDatabase<D extends WatchedDatabase>(database: D): D {
  database.whenOpening = (opening) => void follow(database, opening)
  database.on('blocked', () => judge(database, 'blocked'))
  return database
}

/** A database that is closed for good has no trouble any more. */
export const unwatchDatabase = (database: WatchedDatabase): void => judge(database, undefined)

/** Nothing more can be dropped for what has to be stored, or there is room again. */
export function reportStorageFull(now: boolean): void {
  isFull = now
  settle()
}

/** Whether what is stored now would wait for a database that does not open. */
export const isStorageClosed = (): boolean => closed.size > 0

/** On the person's word: whatever did not open is opened anew. */
export async function retryStorage(): Promise<void> {
  await Promise.allSettled(
    [...closed].filter(([, trouble]) => trouble !== 'blocked').map(([database]) => reopen(database)),
  )
}

function reopen(database: WatchedDatabase) {
  database.close({ disableAutoOpen: false })
  return database.open()
}

async function follow(database: WatchedDatabase, opening: PromiseLike<unknown>) {
  // Not every browser says that it is blocked.
  const late = setTimeout(() => judge(database, 'blocked'), OPENS_WITHIN_MS)
  try {
    await opening
    judge(database, undefined)
  } catch (error) {
    judge(database, isOwnClosing(error) ? undefined : await why(database))
  } finally {
    clearTimeout(late)
  }
}

/** Closed by us while it opened, as at a sign-out. */
const isOwnClosing = (error: unknown) => error instanceof Error && error.name === 'DatabaseClosedError'

const why = async ({ name }: WatchedDatabase): Promise<ClosedStorage> =>
  (await Dexie.exists(name).catch(() => false)) ? 'broken' : 'refused'

function judge(database: WatchedDatabase, trouble: ClosedStorage | undefined) {
  if (trouble) closed.set(database, trouble)
  else if (closed.delete(database)) storageHealth.reopened += 1
  settle()
}

function settle() {
  const found = [...closed.values()]
  const trouble = WORST_FIRST.find((one) => found.includes(one)) ?? (isFull ? 'full' : 'none')
  if (storageHealth.trouble !== trouble) storageHealth.trouble = trouble
}
