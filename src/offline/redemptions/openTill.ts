import { Dexie, liveQuery, type Subscription } from 'dexie'
import type { TillWire } from '../../domain/TillWire.ts'
import { queueOf, type Queue } from '../queue.ts'
import { watchDatabase, type Unsent } from '../storage/storageHealth.ts'
import { withRoom } from '../storage/withRoom.ts'
import { isAtRisk, sumCents, TillDatabase } from '../store/till.ts'
import { Till } from './Till.ts'
import { pageLocks } from './tillHold.ts'
import { tillKind } from './tillKind.ts'
import { endRest, isMade, pruneTillRows, unsentTillRows } from './tillRows.ts'

/** A screen may be faster than the wiring, which comes after the first paint. */
const { promise: opened, resolve: isOpen } = withResolvers<Till>()

let uploads: Queue | undefined

let database: TillDatabase | undefined

/** The device's vouchers, for screens that only look. */
export const tillDatabase = (): TillDatabase => (database ??= watchDatabase(new TillDatabase()))

/**
 * This page's till, and what uploads its vouchers from now on. The wiring opens it, on every screen: the device uploads with nobody
 * logged in, too.
 */
export function openTill(wire: TillWire): void {
  const ports = { database: tillDatabase(), wire, withRoom, now: () => Date.now(), random: () => Math.random() }
  const queue = queueOf(tillKind(ports), async () => {
    return (await isMade(ports.database)) ? till.releaseOrphans() : undefined
  })
  uploads = queue
  const { wake, sendNow } = queue
  const till = new Till({ ...ports, clocks: CLOCKS, locks: pageLocks(), wake, sendNow })
  void prune(ports.database).catch(() => undefined)
  // First whoever waits for it: a voucher that is taken up must not be let go.
  isOpen(till)
  wake()
}

/** Once for each page. */
async function prune(database: TillDatabase) {
  if (await isMade(database)) await pruneTillRows(database, Date.now())
}

/** Only the counter makes the database: a merchant's browser does not get an empty one by looking into it. */
export const hasTillDatabase = (): Promise<boolean> => isMade(tillDatabase())

export const thisTill = (): Promise<Till> => opened

export const CLOCKS = { wall: () => Date.now(), monotonic: () => performance.now() }

/** Something may be due; `again`: the tab is seen again, and what rests for the connection does not wait for its time. */
export const wakeTill = (again = false): void => uploads?.wake(again)

/** The connection is back. */
export const wakeTillOnReturn = (): void => uploads?.wakeOnReturn()

/** Somebody pressed "Upload now": nothing waits for its time. */
export async function uploadNow(): Promise<void> {
  if (await hasTillDatabase()) await endRest(tillDatabase())
  wakeTill(true)
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Tells now and at every change what waits here, to whoever may know no more than that (rule 9.5). What comes back ends it. */
export function followUnsent(tell: (unsent: Unsent) => void): () => void {
  let following: Subscription | undefined
  let isOver = false
  const follow = (is: boolean) => {
    if (!is || isOver || following) return
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    following = liveQuery(() => unsentTillRows(tillDatabase())).subscribe({
      next: (rows) => tell({ count: rows.length, cents: sumCents(rows), atRiskCents: sumCents(rows.filter(isAtRisk)) }),
      error: () => undefined,
    })
  }
  const look = () => void hasTillDatabase().then(follow, () => undefined)
  // The counter makes its database with the first voucher: until then there is nothing to follow.
  // It must return nothing: a listener that returns false stops the change from reaching the others.
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

/** As Dexie names what was changed, in this tab or another. */
const isOfTill = (part: string) => part.startsWith(`idb://${tillDatabase().name}/`)
