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

/** Opens this page's till and the queue that uploads its vouchers. Every screen opens it: the device also uploads when no user is logged in. */
export function openTill(wire: TillWire): void {
  const ports = { database: tillDatabase(), wire, withRoom, now: () => Date.now(), random: () => Math.random() }
  const queue = makeQueue(tillQueueRules(ports), async () => {
    return (await tillDatabaseExists(ports.database)) ? till.releaseOrphans() : undefined
  })
  uploads = queue
  const { wake, sendNow } = queue
  const till = new Till({ ...ports, clocks: DEVICE_CLOCKS, locks: pageLocks(), wake, sendNow })
  void prune(ports.database).catch(() => undefined)
  // Resolve before the queue runs: it releases orphaned holds, and must not release one that a waiting screen is about to adopt.
  announceOpen(till)
  wake()
}

/** Called once for each page. */
async function prune(database: TillDatabase) {
  if (await tillDatabaseExists(database)) await pruneTillRows(database, Date.now())
}

/** True if there is a database. Only the counter creates one: looking for it does not create an empty one in a merchant's browser. */
export const hasTillDatabase = (): Promise<boolean> => tillDatabaseExists(tillDatabase())

export const thisTill = (): Promise<Till> => opened

export const DEVICE_CLOCKS = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Sends the rows that are due. `again`: the tab is visible again, and rows that are paused for the connection are sent before their time. */
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
 * Passes on the number and amount of unsent vouchers, now and after every change. It tells no more, for screens without a login
 * (rule 9.5). Returns the function that ends it.
 */
export function followUnsent(tell: (unsent: Unsent) => void): () => void {
  let following: Subscription | undefined
  let isOver = false
  const follow = (exists: boolean) => {
    if (!exists || isOver || following) return
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    following = liveQuery(() => unsentTillRows(tillDatabase())).subscribe({
      next: (rows) => tell({ count: rows.length, cents: sumCents(rows), atRiskCents: sumCents(rows.filter(isAtRisk)) }),
      error: () => undefined,
    })
  }
  const look = () => void hasTillDatabase().then(follow, () => undefined)
  // The counter creates its database with the first voucher: until then there is nothing to follow. The listener must return
  // nothing: if it returns false, Dexie passes the change to no other listener.
  const lookAgain = (changed: object): void => {
    if (Object.keys(changed).some(isOfTill)) look()
  }
  Dexie.on.storagemutated.subscribe(lookAgain)
  look()
  return () => {
    isOver = true
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    following?.unsubscribe()
  }
}

/** True for a change of the till's database, as Dexie names it, in any tab. */
const isOfTill = (part: string) => part.startsWith(`idb://${tillDatabase().name}/`)
