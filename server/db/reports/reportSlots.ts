import { and, eq, lte } from 'drizzle-orm'
import type { Db } from '../engine/Database.ts'
import { reportSlot } from '../schema/reports.ts'

/** How many reports one user may have under way, over all server processes (RPT-07). */
const SLOTS = [1, 2] as const
/** A slot whose process died comes free by itself after this. */
const LEASE_MS = 60_000

const leaseEnd = (now: Date) => new Date(now.getTime() + LEASE_MS)

/** Takes a slot of `userId` under `leaseId`; false when all are taken. */
export async function acquireSlot(db: Db, userId: string, leaseId: string, now: Date): Promise<boolean> {
  for (const slot of SLOTS) {
    const lease = { leaseId, leasedUntil: leaseEnd(now) }
    const taken = await db
      .insert(reportSlot)
      .values({ userId, slot, ...lease })
      .onConflictDoUpdate({
        target: [reportSlot.userId, reportSlot.slot],
        set: lease,
        setWhere: lte(reportSlot.leasedUntil, now),
      })
      .returning({ slot: reportSlot.slot })
    if (taken.length > 0) return true
  }
  return false
}

const mine = (userId: string, leaseId: string) => and(eq(reportSlot.userId, userId), eq(reportSlot.leaseId, leaseId))

export async function renewSlot(db: Db, userId: string, leaseId: string, now: Date): Promise<void> {
  await db
    .update(reportSlot)
    .set({ leasedUntil: leaseEnd(now) })
    .where(mine(userId, leaseId))
}

export async function releaseSlot(db: Db, userId: string, leaseId: string): Promise<void> {
  await db.delete(reportSlot).where(mine(userId, leaseId))
}
