import { useEffect, useState } from 'react'
import { proxy } from 'valtio/vanilla'
import { databaseExists, type WatchedDatabase } from '../store/databases.ts'
import { cacheFiles } from '../update/workerRegistration.ts'

/**
 * - `broken`: a database exists but does not open, as when an upgrade throws; its data is intact
 * - `blocked`: another window keeps it from opening
 * - `refused`: this browser stores nothing
 */
export type ClosedStorage = 'broken' | 'blocked' | 'refused'

export type StorageState = 'none' | 'full' | ClosedStorage

/**
 * The trouble with this device's storage, the worst of all its databases (rule 14.9). `reopened` counts recoveries: a database that
 * opened later, or a connection that the browser closed and Dexie reopens.
 */
export const storageHealth = proxy<{ trouble: StorageState; reopened: number }>({ trouble: 'none', reopened: 0 })

const OPENS_WITHIN_MS = 2_500

const WORST_FIRST = ['broken', 'blocked', 'refused'] as const

const closed = new Map<WatchedDatabase, ClosedStorage>()

let isFull = false

/** Notices when a database of the page does not open. Every database goes through it. */
export function watchDatabase<D extends WatchedDatabase>(database: D): D {
  database.whenOpening = (opening) => void follow(database, opening)
  database.on('blocked', () => judge(database, 'blocked'))
  return database
}

/** A database that is closed for good has no trouble any more. */
export const unwatchDatabase = (database: WatchedDatabase): void => judge(database, undefined)

/** Reports that there is no room for data that must be stored, or that there is room again. */
export function reportStorageFull(now: boolean): void {
  isFull = now
  settle()
}

/** True if storing something now would wait for a database that does not open. */
export const isStorageClosed = (): boolean => closed.size > 0

/** Reopens every database that did not open, when the user asks for it. */
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
  // Not every browser reports that it is blocked.
  const late = setTimeout(() => judge(database, 'blocked'), OPENS_WITHIN_MS)
  try {
    await opening
    judge(database, undefined)
    // Safari loses connections of pages in the background (https://bugs.webkit.org/show_bug.cgi?id=197050).
    database.backendDB().addEventListener('close', () => (storageHealth.reopened += 1))
  } catch (error) {
    judge(database, isOwnClosing(error) ? undefined : await why(database))
  } finally {
    clearTimeout(late)
  }
}

/** True if this app closed the database while it opened, as at a logout. */
const isOwnClosing = (error: unknown) => error instanceof Error && error.name === 'DatabaseClosedError'

const why = async ({ name }: WatchedDatabase): Promise<ClosedStorage> =>
  (await databaseExists(name).catch(() => false)) ? 'broken' : 'refused'

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

/** True in an app on the home screen of an iPhone or iPad, whose storage is its own; undefined on any other device. */
export const isHomeScreenApp = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone

/** True if the browser has promised never to clear this storage; undefined until it was asked. */
export const persistence = proxy<{ granted: boolean | undefined }>({ granted: undefined })

/** Money that this device took and the server has not recorded: the number of vouchers, and cents. */
export interface Unsent {
  count: number
  cents: number
  /** The part of it that was accepted without a check. */
  atRiskCents: number
}

/** The unsent money of all users of this device. `badgeWaiting` keeps it up to date. */
export const unsent = proxy<Unsent>({ count: 0, cents: 0, atRiskCents: 0 })

const ASKED_KEY = 'asked-to-persist'

/** Reads the promise without asking for it. */
export async function readPersistence(): Promise<void> {
  persistence.granted = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
}

/**
 * Asks the browser never to clear what this device has taken and not sent. The browser may ask the user, so it is called from their
 * tap. A refusal is shown: a device that may be cleared should not be left alone offline.
 */
export async function requestPersistence(): Promise<boolean> {
  persistence.granted = (await navigator.storage?.persist?.().catch(() => false)) ?? false
  return persistence.granted
}

/** Asks with the first thing that waits on this device, and never again unasked (rule 14.10). */
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

/** True if the portal starts from this device: a worker serves this page, and its files are in the cache. */
export function useShellCached(): boolean | undefined {
  const [kept, setKept] = useState<boolean>()
  useEffect(() => {
    let live = true
    const look = () => void isShellCached().then((now) => live && setKept(now))
    look()
    document.addEventListener('visibilitychange', look)
    navigator.serviceWorker?.addEventListener('controllerchange', look)
    return () => {
      live = false
      document.removeEventListener('visibilitychange', look)
      navigator.serviceWorker?.removeEventListener('controllerchange', look)
    }
  }, [])
  return kept
}

/** The browser clears all its storage at once. Missing files are being fetched; without a connection they are not here. */
async function isShellCached(): Promise<boolean> {
  return navigator.serviceWorker?.controller ? cacheFiles('screens') : false
}
