import { Dexie, liveQuery, type Subscription } from 'dexie'
import type { TillWire } from '../../domain/TillWire.ts'
import { makeQueue, type Queue } from '../queue.ts'
import { watchDatabase, type Unsent } from '../storage/storageHealth.ts'
import { withRoom } from '../storage/withRoom.ts'
import { isAtRisk, sumCents, TillDatabase } from '../store/till.ts'
import { Till } from './Till.ts'
import { pageLocks } from './tillHold.ts'
import { tillQueueRules } from './tillQueueRules.ts'
import { makeAllDue, tillDatabaseExists, pruneTillRows, unsentTillRows } from './tillRows.ts'

/** main.tsx opens the till after the first paint. A screen may need it before. */
const { promise: opened, resolve: announceOpen } = withResolvers<Till>()

let uploads: Queue | undefined

let database: TillDatabase | undefined

/** Returns the database of the device's vouchers. Screens only read it. */
export const tillDatabase = (): TillDatabase => (database ??= watchDatabase(new TillDatabase()))

/**
 * Opens this page's till, and the queue that uploads the device's vouchers. Every page opens them, because the device also uploads
 * when no user is logged in.
 */
export function openTill(wire: TillWire): void {
  const ports = { database: tillDatabase(), wire, withRoom, now: () => Date.now(), random: () => Math.random() }
  const queue = makeQueue(tillQueueRules(ports), async () => {
    return (await tillDatabaseExists(ports.database)) ? till.releaseOrphans() : undefined
  })
  uploads = queue
  const { wake, sendNow } = queue
  const till = new Till({ ...ports, clocks: DEVICE_CLOCKS, locks: pageLocks(), wake, sendNow })
  void prune(ports.database).catch(() => undefined)
  // Screens get the till before the queue runs, so that they can take up their vouchers before the queue would release them.
  announceOpen(till)
  wake()
}

async function prune(database: TillDatabase) {
  if (await tillDatabaseExists(database)) await pruneTillRows(database, Date.now())
}

/** True if the till's database exists. Only the counter creates it, so a merchant's browser gets no empty database. */
export const hasTillDatabase = (): Promise<boolean> => tillDatabaseExists(tillDatabase())

/** Resolves to this page's till, when it is open. */
export const thisTill = (): Promise<Till> => opened

export const DEVICE_CLOCKS = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Sends the rows that are due. `withPaused`, when the tab is visible again, also sends rows that are paused for the connection. */
export const wakeTill = (withPaused = false): void => uploads?.wake(withPaused)

/** Wakes the queue when the connection is back. */
export const wakeTillOnReturn = (): void => uploads?.wakeOnReturn()

/** Sends all waiting rows now, after "Upload now". */
export async function uploadNow(): Promise<void> {
  if (await hasTillDatabase()) await makeAllDue(tillDatabase())
  wakeTill(true)
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/**
 * Calls `onUnsent` with the number and amount of unsent vouchers, now and after every change. It passes nothing else, because
 * screens without a login show this (rule 9.5). Returns a function that stops this.
 */
export function followUnsent(onUnsent: (unsent: Unsent) => void): () => void {
  let subscription: Subscription | undefined
  let isOver = false
  const follow = (exists: boolean) => {
    if (!exists || isOver || subscription) return
    Dexie.on.storagemutated.unsubscribe(onStorageChange)
    subscription = liveQuery(() => unsentTillRows(tillDatabase())).subscribe({
      next: (rows) =>
        onUnsent({ count: rows.length, cents: sumCents(rows), atRiskCents: sumCents(rows.filter(isAtRisk)) }),
      error: () => undefined,
    })
  }
  const followIfCreated = () => void hasTillDatabase().then(follow, () => undefined)
  // The counter creates its database with the first voucher. Until then there is nothing to follow. This listener must return
  // nothing, because Dexie calls no further listener after one that returns false.
  const onStorageChange = (changed: object): void => {
    if (Object.keys(changed).some(isTillChange)) followIfCreated()
  }
  Dexie.on.storagemutated.subscribe(onStorageChange)
  followIfCreated()
  return () => {
    isOver = true
    Dexie.on.storagemutated.unsubscribe(onStorageChange)
    subscription?.unsubscribe()
  }
}

/** True if Dexie's name of a change, in any tab, belongs to the till's database. */
const isTillChange = (changedPart: string) => changedPart.startsWith(`idb://${tillDatabase().name}/`)
