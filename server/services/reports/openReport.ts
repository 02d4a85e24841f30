import type { ReportCell, ReportPreviewRequest, Sum } from '../../../src/contract/reports/reportPreview.ts'
import { REPORT_NAMES, reportPeriod, reportTitle, type FilterNames } from '../../../src/domain/reports.ts'
import type { Reading, RowSource } from '../../db/engine/Database.ts'
import { totalOfRedemptions } from '../../db/reports/redemptionSums.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import { countRows, nameFilters, planReport, type ReportPlan } from './planReport.ts'
import type { Fact, Report } from './Report.ts'

/** Who wants a report: whose data it is about, and the name at its top. */
export interface ReportReader {
  scope: Scope
  organisationName: string
  requestedBy: string
}

type ReportDeps = Pick<Deps, 'database' | 'clock'>

/** Begins to read a report. The caller closes it. Throws Refusal NOT_FOUND for a branch or POS user outside the scope. */
export async function openReport(
  { database, clock }: ReportDeps,
  reader: ReportReader,
  asked: ReportPreviewRequest,
): Promise<Report> {
  const names = await nameFilters(database.db, reader.scope, asked)
  const now = clock.now()
  const plan = planReport(asked, now)
  const reading = await database.openReading('report')
  try {
    const source = plan.rows(reader.scope, plan.filter)
    const total = await totalOfRedemptions(reading.db, reader.scope, plan.filter)
    const rowCount = await countRows(reading.db, plan, source, total)
    return {
      name: reportTitle(asked.report, reportPeriod(asked), names),
      facts: factsOf({ reader, asked, plan, names, now, total, rowCount }),
      columns: plan.columns,
      rowCount,
      total,
      rows: rowsOf(reading, plan, source, rowCount),
      csv: csvOf(reading, plan.csvCells(reader.scope, plan.filter), rowCount),
      close: () => reading.close(),
    }
  } catch (error) {
    await reading.close()
    throw error
  }
}

interface Head {
  reader: ReportReader
  asked: ReportPreviewRequest
  plan: ReportPlan
  names: FilterNames
  now: Date
  total: Sum
  rowCount: number
}

/** What this file is about, who asked and what it adds up to (rule 10.3). */
function factsOf({ reader, asked, plan, names, now, total, rowCount }: Head): Fact[] {
  const text = (label: string, value: string): Fact => ({ label, value, type: 'text' })
  const { denominationCents } = names
  const denomination: Fact =
    denominationCents === null
      ? text('Denomination', 'All denominations')
      : { label: 'Denomination', value: denominationCents, type: 'money' }
  return [
    text('Report', REPORT_NAMES[asked.report]),
    text('Organisation', reader.organisationName),
    text('Period', reportPeriod(asked)),
    text('Time zone', 'Singapore time, UTC+8'),
    text('Branch', names.branch ?? 'All branches'),
    text('POS user', names.posUser ?? 'All POS users'),
    denomination,
    text('Requested by', reader.requestedBy),
    { label: 'Requested at', value: now.toISOString(), type: 'instant' },
    { label: 'Rows', value: rowCount, type: 'count' },
    ...(plan.isGrouped ? [{ label: 'Vouchers', value: total.count, type: 'count' } as const] : []),
    { label: 'Total', value: total.cents, type: 'money' },
  ]
}

async function* rowsOf(reading: Reading, plan: ReportPlan, source: RowSource, promised: number): Report['rows'] {
  let written = 0
  for await (const batch of reading.rows(source)) {
    written += batch.length
    yield batch.map((row): ReportCell[] => plan.cellsOf(row))
  }
  if (written !== promised) throw new LedgerMoved(promised, written)
}

async function* csvOf(reading: Reading, cells: RowSource, promised: number): Report['csv'] {
  const written = yield* reading.csv(cells)
  if (written !== promised) throw new LedgerMoved(promised, written)
}

/** All of a report is read at one moment, so this is a defect; a file that does not add up must not look whole. */
class LedgerMoved extends Error {
  override name = 'LedgerMoved' as const
  constructor(promised: number, written: number) {
    super(`${promised} rows were promised, ${written} were found`)
  }
}
