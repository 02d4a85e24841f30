import { LIMITS } from '../../../src/contract/limits.ts'
import type { LossRow, LossSums } from '../../../src/contract/redemptions/losses.ts'
import type { LOSS_COLUMNS, LOSS_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lossTable, reviewRow, sumsByOutcome, type FoundLoss } from '../../db/redemptions/lossTable.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

export const lossListing: Listing<FoundLoss, LossRow, (typeof LOSS_COLUMNS)[number], (typeof LOSS_FILTERS)[number]> = {
  table: lossTable,
  rowOf: lossRow,
  listOrder: [{ column: 'accepted_at', sort_type: 'desc' }],
  nameOf: ({ serial }) => serial,
  title: 'Losses',
}

/** Casts away null: the table has only what is settled, with its reason. */
function lossRow(found: FoundLoss & { id: string }): LossRow {
  const { usedBranchName, usedTillName } = found
  return {
    guid: found.id,
    serial: found.serial,
    cents: found.cents,
    branch_guid: found.branchId,
    branch_name: found.branchName,
    till: found.tillName,
    pos_username: found.posUsername,
    accepted_at: found.acceptedAt.toISOString(),
    arrived_at: found.arrivedAt.toISOString(),
    outcome: found.outcome as LossRow['outcome'],
    reason: found.reason!,
    used_at: found.usedAt?.toISOString() ?? null,
    used: usedBranchName === null ? null : { branch_name: usedBranchName, till: usedTillName },
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

/** What became of all that was accepted in the actor's scope and arrived in the last 30 days. */
export async function lossSums({ database, clock }: Deps, { scope }: Actor): Promise<LossSums> {
  const since = new Date(clock.now().getTime() - LIMITS.noticeDays * 86_400_000)
  const found = await sumsByOutcome(database.db, scope, since)
  type Found = (typeof found)[number]
  const sumOf = (which: (one: Found) => boolean) =>
    found.filter(which).reduce((sum, { count, cents }) => ({ count: sum.count + count, cents: sum.cents + cents }), {
      count: 0,
      cents: 0,
    })
  return {
    redeemed: sumOf(({ outcome }) => outcome === 'redeemed'),
    lost: sumOf(({ outcome }) => outcome === 'lost'),
    to_review: sumOf(({ outcome, isReviewed }) => outcome === 'review' && !isReviewed),
    waiting: sumOf(({ outcome }) => outcome === null),
  }
}
