import type { LossRow } from '../../../src/contract/redemptions/losses.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { lossTable, reviewRow, type FoundLoss } from '../../db/allowance/lossTable.ts'
import type { Db } from '../../db/engine/Database.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

export const lossListing: Listing<FoundLoss, LossRow, 'loss'> = {
  table: lossTable,
  rowOf: lossRow,
  title: 'Losses',
}

/** The table has only what was lost or refused. */
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
    reviewed_at: found.reviewedAt?.toISOString() ?? null,
    reviewed_by: found.reviewedBy,
  }
}

/** Notes that somebody has reviewed a loss of the actor's scope; again is the same answer. Throws Refusal NOT_FOUND. */
export const reviewLoss = ({ database, clock }: Deps, actor: Actor, id: string): Promise<LossRow> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    const found = await rowOf(tx, lossTable, actor.scope, id)
    if (!found) throw new Refusal('NOT_FOUND')
    const isNew = await reviewRow(tx, id, { reviewedAt: now, reviewedBy: actor.loginName })
    if (isNew) {
      const subject = { type: 'till', id: found.tillId, name: found.tillName } as const
      const details = { amount_cents: found.cents }
      const entry = { action: 'loss.reviewed', subject, branchId: found.branchId, details } as const
      await noteActivity(tx, actor, { organisationId: actor.organisation.id, ...entry }, now)
    }
    return lossRow((await rowOf(tx, lossTable, actor.scope, id))!)
  })
