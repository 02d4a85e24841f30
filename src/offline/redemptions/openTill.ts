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

/** A screen may need the till before main.tsx opens it, which happens after the first paint. */
const { promise: opened, resolve: announceOpen } = withResolvers<Till>()

let uploads: Queue | undefined

let database: TillDatabase | undefined

/** The device's vouchers, for screens that only read them. */
export const tillDatabase = (): TillDatabase => (database ??= watchDatabase(new TillDatabase()))

/**
 * Opens this page's till and the queue that uploads the device's vouchers. Every page opens them: the device also uploads when no
 * user is logged in.
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
  // Announced before the queue runs: the queue releases orphans, and must not release a voucher that a waiting screen takes up.
  announceOpen(till)
  wake()
}

async function prune(database: TillDatabase) {
  if (await tillDatabaseExists(database)) await pruneTillRows(database, Date.now())
}

/** True if the till's database exists. Only the counter creates it: this check creates no empty database in a merchant's browser. */
export const hasTillDatabase = (): Promise<boolean> => tillDatabaseExists(tillDatabase())

/** Resolves to this page's till, when it is open. */
export const thisTill = (): Promise<Till> => opened

export const DEVICE_CLOCKS = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Sends the rows that are due. `again`, when the tab is visible again: also sends rows that are paused for the connection. */
export const wakeTill = (again = false): void => uploads?.wake(again)

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
 * Calls `tell` with the number and amount of unsent vouchers, now and after every change. It passes nothing else, because screens
 * without a login show this (rule 9.5). Returns a function that stops this.
 */
export function followUnsent(tell: (unsent: Unsent) => void): () => void {
  let subscription: Subscription | undefined
  let isOver = false
  const follow = (exists: boolean) => {
    if (!exists || isOver || subscription) return
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    subscription = liveQuery(() => unsentTillRows(tillDatabase())).subscribe({
      next: (rows) => tell({ count: rows.length, cents: sumCents(rows), atRiskCents: sumCents(rows.filter(isAtRisk)) }),
      error: () => undefined,
    })
  }
  const look = () => void hasTillDatabase().then(follow, () => undefined)
  // The counter creates its database with the first voucher. Until then there is nothing to follow. The listener must return
  // nothing: if it returns false, Dexie passes the change to no other listener.
  const lookAgain = (changed: object): void => {
    if (Object.keys(changed).some(isTillChange)) look()
  }
  Dexie.on.storagemutated.subscribe(lookAgain)
  look()
  return () => {
    isOver = true
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    subscription?.unsubscribe()
  }
}

/** True for a change of the till's database, as Dexie names it, in any tab. */
const isTillChange = (changedPart: string) => changedPart.startsWith(`idb://${tillDatabase().name}/`)
