import { LIMITS } from '../../../src/contract/limits.ts'
import type { Concern, LossRow, LossSums } from '../../../src/contract/redemptions/losses.ts'
import type { LOSS_COLUMNS, LOSS_FILTERS } from '../../../src/contract/tables/tableColumns.ts'
import { isMainAccount } from '../../../src/domain/accounts/permissions.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  LIMIT_REACHED,
  REFUSED_AT_TILLS,
  SAME_VOUCHER,
  SERIALS_IN_A_ROW,
  type Place,
} from '../../db/redemptions/concerns.ts'
import { lossTable, reviewRow, sumsByOutcome, type FoundLoss } from '../../db/redemptions/lossTable.ts'
import { rowOf } from '../../db/tables/DataTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

const DAY_MS = 86_400_000

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
  const since = new Date(clock.now().getTime() - LIMITS.noticeDays * DAY_MS)
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

/** Days on end that a limit has to be reached to be worth a look, of this many. */
const LIMIT_DAYS = 7

/** What the tills of the actor's organisation accepted and that somebody should look at. Throws Refusal FORBIDDEN for anyone but a main account. */
export async function readConcerns(deps: Deps, actor: Actor): Promise<{ concerns: Concern[] }> {
  if (!isMainAccount(actor.type)) throw new Refusal('FORBIDDEN')
  const found = await findConcerns({ ...deps, database: deps.database.portal() }, actor.organisation.id)
  return { concerns: found.map(({ concern }) => concern) }
}

/** The same with the names of the merchants; of all of them where no organisation is named. The newest first. */
export async function findConcerns(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  organisationId: string | null,
): Promise<{ concern: Concern; merchants: string[] }[]> {
  const now = clock.now().getTime()
  const values: [string | null, Date] = [organisationId, new Date(now - LIMITS.noticeDays * DAY_MS)]
  const same = await database.run(SAME_VOUCHER, values)
  const runs = await database.run(SERIALS_IN_A_ROW, values)
  const limits = await database.run(LIMIT_REACHED, [organisationId, new Date(now - LIMIT_DAYS * DAY_MS)])
  const refused = await database.run(REFUSED_AT_TILLS, values)
  const found: { concern: Concern; merchants: string[] }[] = [
    ...same.map(({ tills, at, ...facts }) => {
      const places = JSON.parse(tills) as Place[]
      const concern = { kind: 'same voucher' as const, ...facts, ...atOf(at), tills: places.map(placeOf) }
      return { concern, merchants: [...new Set(places.map(({ merchant }) => merchant))] }
    }),
    ...runs.map(({ count, cents, first, last, at, ...place }) => ({
      concern: { kind: 'serials in a row' as const, ...placeOf(place), count, cents, first, last, ...atOf(at) },
      merchants: [place.merchant],
    })),
    ...limits.map(({ count, at, ...place }) => ({
      concern: { kind: 'limit reached' as const, ...placeOf(place), days: count, ...atOf(at) },
      merchants: [place.merchant],
    })),
    ...refused.map(({ count, cents, at, ...place }) => ({
      concern: { kind: 'to review' as const, ...placeOf(place), count, cents, ...atOf(at) },
      merchants: [place.merchant],
    })),
  ]
  return found.toSorted((one, other) => other.concern.at.localeCompare(one.concern.at))
}

const placeOf = ({ branch, till }: Pick<Place, 'branch' | 'till'>) => ({ branch_name: branch, till })

const atOf = (at: Date) => ({ at: at.toISOString() })
