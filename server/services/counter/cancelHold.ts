import type { EndedHold } from '../../../src/contract/redemptions/hold.ts'
import type { Db } from '../../db/engine/Database.ts'
import { insertUnmadeHold } from '../../db/endedHolds.ts'
import { endHold, isHeld, lockHoldId, lockVoucherOfHold } from '../../db/redemptions/holds.ts'
import { traceHold } from '../../db/redemptions/holdTrace.ts'
import { countFailure, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal, secondsUntil } from '../Refusal.ts'
import { holdEnded } from './refuseSpentHold.ts'

interface Cancelling {
  id: string
  secretHash: string
  ipAddress: string
}

/**
 * Gives a held voucher back, by the hold's secret; asked again it tells how the hold ended. One that was never made is ended as
 * well: its verify may still be on the way. Throws Refusal HOLD_ENDED when it was redeemed, HOLD_UNKNOWN for another secret,
 * TOO_MANY_ATTEMPTS for too many that were never made.
 */
export const cancelHold = ({ database, clock }: Deps, asked: Cancelling): Promise<EndedHold> =>
  database.db.transaction(async (tx: Db) => {
    const { id, secretHash } = asked
    const now = clock.now()
    await lockHoldId(tx, id)
    const held = await lockVoucherOfHold(tx, id)
    const trace = await traceHold(tx, id)
    if (trace && trace.secretHash !== secretHash) throw new Refusal('HOLD_UNKNOWN')
    if (trace?.ended?.by === 'redeemed') throw holdEnded('redeemed', trace.ended.when)
    if (trace?.ended) return { by: trace.ended.by, when: trace.ended.when.toISOString() }
    if (held && isHeld(held)) await endHold(tx, held, 'cancelled', now)
    else await cancelUnmade(tx, asked, now)
    return { by: 'cancelled', when: now.toISOString() }
  })

/** Each leaves a row, and needs no session. */
async function cancelUnmade(tx: Db, { id, secretHash, ipAddress }: Cancelling, now: Date): Promise<void> {
  const until = await countFailure(tx, THROTTLES.unmadeHold, ipAddress, now)
  if (until) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(until, now) })
  await insertUnmadeHold(tx, id, secretHash, now)
}
