import { useEffect, useState } from 'react'
import { proxy } from 'valtio/vanilla'
import { databaseExists, type WatchedDatabase } from '../store/databases.ts'
import { keepFiles } from '../update/workerRegistration.ts'

/**
 * - `broken`: a database is there and does not open, as when an upgrade throws; what is in it is whole
 * - `blocked`: another window keeps it from opening
 * - `refused`: this browser stores nothing
 */
export type ClosedStorage = 'broken' | 'blocked' | 'refused'

export type StorageState = 'none' | 'full' | ClosedStorage

/**
 * What is wrong with the storage of this device, the worst of all its databases (rule 14.9). `reopened` counts recoveries: a
 * database that opened after all, and a connection that the browser closed, which Dexie opens anew.
 */
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
    // Safari loses connections of pages in the background (https://bugs.webkit.org/show_bug.cgi?id=197050).
    database.backendDB().addEventListener('close', () => (storageHealth.reopened += 1))
  } catch (error) {
    judge(database, isOwnClosing(error) ? undefined : await why(database))
  } finally {
    clearTimeout(late)
  }
}

/** Closed by us while it opened, as at a logout. */
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

/** Whether this is an app on the home screen of an iPhone or iPad, whose storage is its own; undefined on any other device. */
export const isHomeScreenApp = (): boolean | undefined => (navigator as { standalone?: boolean }).standalone

/** Whether the browser has promised never to clear what is stored here; undefined until it was asked. */
export const persistence = proxy<{ granted: boolean | undefined }>({ granted: undefined })

/** Money that this device took and the server has not written down: how many vouchers, and cents. */
export interface Unsent {
  count: number
  cents: number
  /** Of these, what was accepted without a check. */
  atRiskCents: number
}

/** Of anybody on this device. `badgeWaiting` keeps it up to date. */
export const unsent = proxy<Unsent>({ count: 0, cents: 0, atRiskCents: 0 })

const ASKED_KEY = 'asked-to-persist'

/** Looks, and asks nobody. */
export async function readPersistence(): Promise<void> {
  persistence.granted = (await navigator.storage?.persisted?.().catch(() => false)) ?? false
}

/**
 * Asks the browser never to clear what this device has taken and not sent. The browser may ask the person, so it is called from
 * their tap. A refusal is shown: a device that may be cleared should not be left alone without a connection.
 */
export async function requestPersistence(): Promise<boolean> {
  persistence.granted = (await navigator.storage?.persist?.().catch(() => false)) ?? false
  return persistence.granted
}

/** With the first thing that waits on this device, and never again unasked (rule 14.10). */
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

/** Whether the portal starts from this device: a worker serves this page, and what it serves lies in its cache. */
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

/** The browser clears all that is kept here at once. Files that are missing are on their way: without a connection they are not here. */
async function isShellCached(): Promise<boolean> {
  return navigator.serviceWorker?.controller ? keepFiles('screens') : false
}
