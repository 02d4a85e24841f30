import type { HoldOutcome } from '../../../src/contract/redemptions/counter.ts'
import { findEndedHold } from '../../db/endedHolds.ts'
import type { HoldRight } from '../../db/HoldRight.ts'
import { findHeld } from '../../db/redemptions/holds.ts'
import { findReceipt } from '../../db/redemptions/redemptions.ts'
import type { Deps } from '../../Deps.ts'
import { receiptOf } from './receipt.ts'
import { Refusal } from '../Refusal.ts'
import { holdOf } from '../counter/holdOf.ts'

/**
 * What became of a hold, also when its answer was lost. Asked in the order in which things happen, so that nothing which happens
 * meanwhile is missed. Throws Refusal HOLD_UNKNOWN: it was not made, or is not the asker's.
 */
export async function askHold({ database: { db } }: Deps, id: string, right: HoldRight): Promise<HoldOutcome> {
  const held = await findHeld(db, id, right)
  if (held) return { state: 'held', hold: holdOf(held) }
  const redeemed = await findReceipt(db, id, right)
  if (redeemed) {
    const receipt = receiptOf(redeemed)
    if (redeemed.voidedAt === null) return { state: 'redeemed', receipt }
    return { state: 'voided', receipt, voided_at: redeemed.voidedAt.toISOString() }
  }
  const ended = await findEndedHold(db, id, right)
  if (ended) return { state: 'ended', by: ended.by, when: ended.when.toISOString() }
  throw new Refusal('HOLD_UNKNOWN')
}
