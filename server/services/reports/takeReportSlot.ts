import { v7 as uuidv7 } from 'uuid'
import { releaseSlot, renewSlot, acquireSlot } from '../../db/reports/reportSlots.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal } from '../Refusal.ts'

/** Well before a lease ends (db/reportSlots.ts). */
const RENEW_MS = 15_000

export interface ReportSlot {
  /** To be said as long as the report goes on; most of the time it is nothing to do. */
  renew(): Promise<void>
  free(): Promise<void>
}

/** One of the two reports a user may have under way. Throws Refusal TOO_MANY_REPORTS (cases RPT-07). */
export async function takeReportSlot(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<ReportSlot> {
  const leaseId = uuidv7()
  let renewedAt = clock.now()
  const taken = await acquireSlot(database.db, userId, leaseId, renewedAt)
  if (!taken) throw new Refusal('TOO_MANY_REPORTS', { retryAfterSeconds: 5 })
  return {
    async renew() {
      const now = clock.now()
      if (now.getTime() - renewedAt.getTime() < RENEW_MS) return
      renewedAt = now
      await renewSlot(database.db, userId, leaseId, now)
    },
    free: () => releaseSlot(database.db, userId, leaseId),
  }
}
