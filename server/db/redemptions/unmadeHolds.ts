import { and, isNull, lt } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { sweepRows } from '../engine/sweepRows.ts'
import { endedHold } from '../schema/redemptions.ts'

/** A verify that comes later than this finds its token expired, which is good for ten minutes, and gets no hold. */
const KEPT_MS = 15 * 60_000

/** Cancelled before it was made: a verify that is still on its way finds this, and holds nothing. */
export async function insertUnmadeHold(tx: Db, id: string, secretHash: string, now: Date): Promise<void> {
  await tx.insert(endedHold).values({ id, secretHash, endedBy: 'cancelled', endedAt: now })
}

/** Forgets those that no verify can ask for any more: each was made by a stranger, for nothing. */
export async function sweepUnmadeHolds(db: Db, now: Date): Promise<void> {
  const isOld = lt(endedHold.endedAt, new Date(now.getTime() - KEPT_MS))
  await sweepRows(db, endedHold, endedHold.id, and(isNull(endedHold.voucherId), isOld))
}
