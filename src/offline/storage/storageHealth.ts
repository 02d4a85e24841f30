import { useEffect, useState } from 'react'
import { proxy } from 'valtio/vanilla'
import { databaseExists, type WatchedDatabase } from '../store/databases.ts'
import { cacheFiles } from '../update/workerRegistration.ts'

/**
 * - `broken`: a database exists but does not open, for example because an upgrade throws; its data is intact
 * - `blocked`: another window keeps it from opening
 * - `refused`: this browser stores nothing
 */
export type ClosedStorage = 'broken' | 'blocked' | 'refused'

export type StorageState = 'none' | 'full' | ClosedStorage

/**
 * The worst trouble of this device's databases (rule 14.9). `reopened` counts recoveries: databases that opened late, and connections
 * that the browser closed and Dexie reopens.
 */
export const storageHealth = proxy<{ trouble: StorageState; reopened: number }>({ trouble: 'none', reopened: 0 })

const OPENS_WITHIN_MS = 2_500

const WORST_FIRST = ['broken', 'blocked', 'refused'] as const

const closed = new Map<WatchedDatabase, ClosedStorage>()

let isFull = false

/** Watches whether a database opens. Every database of the page is watched. */
export function watchDatabase<D extends WatchedDatabase>(database: D): D {
  database.whenOpening = (opening) => void watchOpening(database, opening)
  database.on('blocked', () => noteTrouble(database, 'blocked'))
  return database
}

/** Stops watching a database that is closed for good. */
export const unwatchDatabase = (database: WatchedDatabase): void => noteTrouble(database, undefined)

/** Reports whether the device is too full for data that must be stored. */
export function reportStorageFull(isFullNow: boolean): void {
  isFull = isFullNow
  publishTrouble()
}

/** True if a database does not open, so that storing something would wait. */
export const isStorageClosed = (): boolean => closed.size > 0

/** Tries again to open every database that did not open, except those that another window blocks. */
export async function retryStorage(): Promise<void> {
  await Promise.allSettled(
    [...closed].filter(([, trouble]) => trouble !== 'blocked').map(([database]) => reopen(database)),
  )
}

function reopen(database: WatchedDatabase) {
  database.close({ disableAutoOpen: false })
  return database.open()
}

async function watchOpening(database: WatchedDatabase, opening: PromiseLike<unknown>) {
  // Not every browser reports that a database is blocked.
  const late = setTimeout(() => noteTrouble(database, 'blocked'), OPENS_WITHIN_MS)
  try {
    await opening
    noteTrouble(database, undefined)
    // Safari closes connections of pages in the background (https://bugs.webkit.org/show_bug.cgi?id=197050).
    database.backendDB().addEventListener('close', () => (storageHealth.reopened += 1))
  } catch (error) {
    noteTrouble(database, isOwnClosing(error) ? undefined : await findReason(database))
  } finally {
    clearTimeout(late)
  }
}

/** True if this app closed the database while it was being opened, for example at a logout. */
const isOwnClosing = (error: unknown) => error instanceof Error && error.name === 'DatabaseClosedError'

const findReason = async ({ name }: WatchedDatabase): Promise<ClosedStorage> =>
  (await databaseExists(name).catch(() => false)) ? 'broken' : 'refused'

function noteTrouble(database: WatchedDatabase, trouble: ClosedStorage | undefined) {
  if (trouble) closed.set(database, trouble)
  else if (closed.delete(database)) storageHealth.reopened += 1
  publishTrouble()
}

function publishTrouble() {
  const found = [...closed.values()]
  const trouble = WORST_FIRST.find((one) => found.includes(one)) ?? (isFull ? 'full' : 'none')
  if (storageHealth.trouble !== trouble) storageHealth.trouble = trouble
}

/** True in an app on the home screen of an iPhone or iPad, which has its own storage. Undefined on any other device. */
export const isHomeScreenApp = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone

/** True if the browser has promised never to clear this storage. Undefined before the browser was asked. */
export const persistence = proxy<{ granted: boolean | undefined }>({ granted: undefined })

/** The vouchers that this device took and the server has not recorded: their number and amount. */
export interface Unsent {
  count: number
  cents: number
  /** The part of the cents that was accepted without a check. */
  atRiskCents: number
}

/** The unsent vouchers of all users of this device. `showWaitingBadge` keeps this up to date. */
export const unsent = proxy<Unsent>({ count: 0, cents: 0, atRiskCents: 0 })

const ASKED_KEY = 'asked-to-persist'

/** Reads whether the browser has promised to keep the storage. Does not ask for the promise. */
export async function readPersistence(): Promise<void> {
  persistence.granted = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
}

/**
 * Asks the browser never to clear this device's storage. Call it from a tap, because the browser may ask the user. Screens show a
 * refusal, because a device that may be cleared should not stay offline for long.
 */
export async function requestPersistence(): Promise<boolean> {
  persistence.granted = (await navigator.storage?.persist?.().catch(() => false)) ?? false
  return persistence.granted
}

/** Asks when the first download or voucher waits on this device. After that only the user asks again (rule 14.10). */
export async function requestPersistenceOnce(): Promise<void> {
  try {
    if (localStorage.getItem(ASKED_KEY)) return
    localStorage.setItem(ASKED_KEY, 'yes')
  } catch {
    // A browser that stores nothing has nothing to promise.
    return
  }
  await requestPersistence()
}

/** True if the portal can start from this device, because a worker serves this page and its files are in the cache. */
export function useShellCached(): boolean | undefined {
  const [isCached, setCached] = useState<boolean>()
  useEffect(() => {
    let isMounted = true
    const check = () => void isShellCached().then((found) => isMounted && setCached(found))
    check()
    document.addEventListener('visibilitychange', check)
    navigator.serviceWorker?.addEventListener('controllerchange', check)
    return () => {
      isMounted = false
      document.removeEventListener('visibilitychange', check)
      navigator.serviceWorker?.removeEventListener('controllerchange', check)
    }
  }, [])
  return isCached
}

/** Asks the worker, which first fetches missing files. Without a worker no file is cached: browsers clear both together. */
async function isShellCached(): Promise<boolean> {
  return navigator.serviceWorker?.controller ? cacheFiles('screens') : false
}
