import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db } from '../../db/engine/Database.ts'
import { isHeld, lockVoucherById, vouchersHeldBefore } from '../../db/redemptions/holds.ts'
import type { Deps } from '../../Deps.ts'
import { release } from './holds.ts'

/**
 * Ends, for the provider, every hold that is older than 90 days (rule 9.21), one after the other. Answers how many. A till that has
 * one of them still is told so when it uploads.
 */
export async function endOldHolds({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - LIMITS.holdDays * 86_400_000)
  let ended = 0
  for (const id of await vouchersHeldBefore(database.db, before)) {
    ended += await database.db.transaction(async (tx: Db) => {
      const found = await lockVoucherById(tx, id)
      // Redeemed, or taken over, a moment ago.
      if (!found || !isHeld(found) || found.holdSince >= before) return 0
      await release(tx, found, { provider: true, via: 'command line' }, clock.now())
      return 1
    })
  }
  return ended
}
