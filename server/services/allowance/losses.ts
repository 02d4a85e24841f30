import type { LossRow } from '../../../src/contract/redemptions/losses.ts'
import { lossTable, type FoundLoss } from '../../db/allowance/lossTable.ts'
import type { Listing } from '../tables/readTable.ts'

export const lossListing: Listing<FoundLoss, LossRow, 'loss'> = {
  table: lossTable,
  rowOf: lossRow,
  title: 'Losses',
}

/** The table lists only vouchers that were lost or refused. */
function lossRow(found: FoundLoss & { id: string }): LossRow {
  return {
    guid: found.id,
    serial: found.serial,
    cents: found.cents,
    branch_name: found.branchName,
    till: found.tillName,
    pos_username: found.posUsername,
    accepted_at: found.acceptedAt.toISOString(),
    arrived_at: found.arrivedAt.toISOString(),
    outcome: found.outcome as LossRow['outcome'],
    reason: found.reason!,
    used_at: found.usedAt?.toISOString() ?? null,
  }
}
