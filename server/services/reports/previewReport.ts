import { LIMITS } from '../../../src/contract/limits.ts'
import type { ReportRequest } from '../../../src/contract/reports/report.ts'
import type { ReportPreview, Sum } from '../../../src/contract/reports/reportPreview.ts'
import { addMonths } from '../../../src/domain/months.ts'
import { singaporeDay, singaporeWallTime, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { addSums, EMPTY_SUM } from '../../../src/domain/sums.ts'
import type { Db } from '../../db/engine/Database.ts'
import { sumsOverTime, type TimeUnit } from '../../db/reports/redemptionSums.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { countRows, nameFilters, planReport, type ReportPlan } from './openReport.ts'

/** Returns the report for the screen, read from one state of the database. Throws Refusal NOT_FOUND like `openReport`. */
export async function previewReport(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  { scope }: Pick<Actor, 'scope'>,
  asked: ReportRequest,
): Promise<ReportPreview> {
  await nameFilters(database.db, scope, asked)
  const now = clock.now()
  const plan = planReport(asked, now)
  return database.db.transaction(
    async (tx: Db) => {
      const source = plan.rows(scope, plan.filter)
      const sums = await sumsOverTime(tx, scope, plan.filter, plan.unit)
      const total = [...sums.values()].reduce(addSums, EMPTY_SUM)
      const first = await source.first(tx, LIMITS.previewRows)
      return {
        as_of: now.toISOString(),
        total,
        time_unit: plan.unit,
        by_time: byTime(plan, sums),
        columns: plan.columns,
        rows: first.map(plan.cellsOf),
        row_count: await countRows(tx, plan, source, total),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

const byTime = ({ filter, unit }: ReportPlan, sums: ReadonlyMap<string, Sum>): ReportPreview['by_time'] =>
  timeSlots(filter, unit).map(({ start, wallTime }) => {
    const { count, cents } = sums.get(wallTime) ?? EMPTY_SUM
    return { start: start.toISOString(), count, cents }
  })

const HOUR_MS = 3_600_000

const DAY_MS = 24 * HOUR_MS

interface TimeSlot {
  start: Date
  /** The start as the database writes it, in Singapore time: `2026-11-21 09:00:00`. */
  wallTime: string
}

/** Returns every hour, day or month that begins in a period, oldest first. The period itself begins with one of them. */
function timeSlots({ from, before }: { from: Date; before: Date }, unit: TimeUnit): TimeSlot[] {
  const slots: TimeSlot[] = []
  for (let start = from; start < before; start = NEXT_START[unit](start))
    slots.push({ start, wallTime: singaporeWallTime(start) })
  return slots
}

const NEXT_START: Record<TimeUnit, (start: Date) => Date> = {
  hour: (start) => new Date(start.getTime() + HOUR_MS),
  day: (start) => new Date(start.getTime() + DAY_MS),
  month: (start) => startOfDay(`${addMonths(singaporeDay(start).slice(0, 7), 1)}-01`),
}
