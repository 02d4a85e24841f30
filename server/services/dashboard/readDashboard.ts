import { DASHBOARD, type Dashboard, type LatestRedemption } from '../../../src/contract/dashboard.ts'
import type { Sum } from '../../../src/contract/reports/reportPreview.ts'
import { monthBeforeToDate, monthToDate } from '../../../src/domain/months.ts'
import { addDays, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { addSums, EMPTY_SUM } from '../../../src/domain/sums.ts'
import { latestRedemptions, stepsTaken, sumOfHolds, sumsByBranch, sumsPerDay } from '../../db/dashboard/dashboard.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { branchLines, denominationLines, sumsBy } from './sums.ts'

/** Returns the range of two Singapore days, both included, so that a link to the voucher table can name the same period. */
const wholeDays = (from: string, to: string) => ({ from: startOfDay(from), before: startOfDay(addDays(to, 1)) })

/**
 * Returns the figures of the actor's scope (rule 10.5). Today and the months are sums of the days, and everything is read from one state of the
 * database, so that the figures agree.
 */
export const readDashboard = ({ database, clock }: Deps, actor: Actor): Promise<Dashboard> =>
  database.db.transaction((tx: Db) => readFigures(tx, actor.scope, clock.now()), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })

async function readFigures(db: Db, scope: Scope, now: Date): Promise<Dashboard> {
  const today = singaporeDay(now)
  const firstDay = addDays(today, 1 - DASHBOARD.days)
  const month = monthToDate(today)
  const before = monthBeforeToDate(today)
  // The month before may begin earlier than the first day of the chart.
  const perDay = await sumsPerDay(db, scope, wholeDays(before.from < firstDay ? before.from : firstDay, today))
  const byBranch = await sumsByBranch(db, scope, wholeDays(month.from, month.to))
  const latest = await latestRedemptions(db, scope, wholeDays(firstDay, today), DASHBOARD.latest)
  return {
    as_of: now.toISOString(),
    today_is: today,
    today: sumOfDays(perDay, { from: today, to: today }),
    month: sumOfDays(perDay, month),
    month_before: { ...before, ...sumOfDays(perDay, before) },
    on_hold: await sumOfHolds(db, scope),
    per_day: daysFrom(firstDay, perDay),
    by_branch: await branchLines(
      db,
      sumsBy(byBranch, ({ branchId }) => branchId),
    ),
    by_denomination: denominationLines(sumsBy(byBranch, ({ denominationCents }) => denominationCents)),
    latest: latest.map(toLatest),
    first_steps: await stepsTaken(db, scope),
  }
}

type FoundRedemption = Awaited<ReturnType<typeof latestRedemptions>>[number]
const toLatest = (row: FoundRedemption): LatestRedemption => ({
  guid: row.guid,
  serial: row.serial,
  denomination_cents: row.denominationCents,
  redeemed_at: row.redeemedAt.toISOString(),
  branch_name: row.branchName,
  pos_username: row.posUsername,
})

const daysFrom = (first: string, perDay: ReadonlyMap<string, Sum>): Dashboard['per_day'] =>
  Array.from({ length: DASHBOARD.days }, (_, index) => {
    const day = addDays(first, index)
    return { day, ...(perDay.get(day) ?? EMPTY_SUM) }
  })

const sumOfDays = (perDay: ReadonlyMap<string, Sum>, { from, to }: { from: string; to: string }): Sum =>
  [...perDay]
    .filter(([day]) => day >= from && day <= to)
    .map(([, sum]) => sum)
    .reduce(addSums, EMPTY_SUM)
