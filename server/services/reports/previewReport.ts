import { LIMITS } from '../../../src/contract/limits.ts'
import type { ReportPreview, ReportPreviewRequest } from '../../../src/contract/reports/reportPreview.ts'
import type { Db } from '../../db/engine/Database.ts'
import { type RedemptionSums, sumsOfRedemptions } from '../../db/reports/redemptionSums.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { branchLines } from './sums.ts'
import { denominationLines } from '../denominationLines.ts'
import { countRows } from './countRows.ts'
import { nameFilters } from './nameFilters.ts'
import { planReport, type ReportPlan } from './planReport.ts'
import { timeSlots } from './slotsOf.ts'

/** The report on the screen: all of it from one state of the database. Throws Refusal NOT_FOUND like the file. */
export async function previewReport(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { scope }: Pick<Actor, 'scope'>,
  asked: ReportPreviewRequest,
): Promise<ReportPreview> {
  await nameFilters(database.db, scope, asked)
  const now = clock.now()
  const plan = planReport(asked, now)
  return database.db.transaction(
    async (tx: Db) => {
      const source = plan.rows(scope, plan.filter)
      const sums = await sumsOfRedemptions(tx, scope, plan.filter, plan.unit)
      const first = await source.first(tx, LIMITS.previewRows)
      return {
        as_of: now.toISOString(),
        total: sums.total,
        time_unit: plan.unit,
        by_time: byTime(plan, sums),
        by_branch: await branchLines(tx, sums.byBranch),
        by_denomination: denominationLines(sums.byDenomination),
        columns: plan.columns,
        rows: first.map(plan.cellsOf),
        row_count: await countRows(tx, plan, source, sums.total),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const NOTHING = { count: 0, cents: 0 }

const byTime = ({ filter, unit }: ReportPlan, sums: RedemptionSums): ReportPreview['by_time'] =>
  timeSlots(filter, unit).map(({ start, wallTime }) => {
    const { count, cents } = sums.byTime.get(wallTime) ?? NOTHING
    return { start: start.toISOString(), count, cents }
  })
