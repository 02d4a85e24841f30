import { Dexie, liveQuery, type Subscription } from 'dexie'
import { isUnsent, sumCents } from '../../store/till.ts'
import { hasTillDatabase, tillDatabase } from '../../redemptions/openTill.ts'
import { readTillRows } from '../../redemptions/tillRows.ts'

/** Money that this device took and the server has not written down: how many vouchers, and cents. */
export interface Unsent {
  count: number
  cents: number
}

/** Tells now and at every change what waits here, to whoever may know no more than that (DESIGN §7). What comes back ends it. */
export function followUnsent(tell: (unsent: Unsent) => void): () => void {
  let following: Subscription | undefined
  let isOver = false
  const follow = (is: boolean) => {
    if (!is || isOver || following) return
    Dexie.on.storagemutated.unsubscribe(lookAgain)
    const unsent = async () => (await readTillRows(tillDatabase())).filter(isUnsent)
    following = liveQuery(unsent).subscribe({
      next: (rows) => tell({ count: rows.length, cents: sumCents(rows) }),
      error: () => undefined,
    })
  }
  const look = () => void hasTillDatabase().then(follow, () => undefined)
  // The counter makes its database with the first voucher: until then there is nothing to follow.
  // It must give nothing back: a listener that returns false keeps the change from every other one.
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
