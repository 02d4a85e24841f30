import type {
  DailyReportRequest,
  MonthlyReportRequest,
  ReportRequest,
  TransactionReportRequest,
} from '../../../src/contract/reports/report.ts'
import type { ReportCell, ReportColumn, Sum } from '../../../src/contract/reports/reportPreview.ts'
import { addMonths } from '../../../src/domain/months.ts'
import { periodInName, REPORT_NAMES, reportPeriod, reportTitle, type FilterNames } from '../../../src/domain/reports.ts'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { findBranch } from '../../db/branches/branches.ts'
import type { Db, FirstRows, Reading, RowSource, TextRow } from '../../db/engine/Database.ts'
import { findPosUser } from '../../db/posUsers.ts'
import type { RedemptionFilter } from '../../db/redemptions/redemptions.ts'
import { totalOfRedemptions, type TimeUnit } from '../../db/reports/redemptionSums.ts'
import { countGroups, ledgerRows, rowsByMonth, rowsByPosUser } from '../../db/reports/reportRows.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import { openReading } from '../openReading.ts'
import { receiptNumber } from '../redemptions/receipt.ts'
import { Refusal } from '../Refusal.ts'
import type { Fact, Report } from './Report.ts'

/** The reader of a report: the scope of its data, and the names at its top. */
export interface ReportReader {
  scope: Scope
  organisationName: string
  requestedBy: string
}

type ReportDeps = Pick<Deps, 'database' | 'queues' | 'clock'>

/** Begins to read a report, which the caller must close. Throws Refusal NOT_FOUND for a branch or POS user outside the scope, SERVER_BUSY. */
export async function openReport(deps: ReportDeps, reader: ReportReader, asked: ReportRequest): Promise<Report> {
  const names = await nameFilters(deps.database.db, reader.scope, asked)
  const now = deps.clock.now()
  const plan = planReport(asked, now)
  const reading = await openReading(deps, reader.scope.organisationId)
  try {
    const source = plan.rows(reader.scope, plan.filter)
    const total = await totalOfRedemptions(reading.db, reader.scope, plan.filter)
    const rowCount = await countRows(reading.db, plan, source, total)
    return {
      name: reportTitle(asked.report, periodInName(asked), names),
      facts: factsOf({ reader, asked, plan, names, now, total, rowCount }),
      columns: plan.columns,
      rowCount,
      total,
      rows: rowsOf(reading, plan, source, rowCount),
      close: () => reading.close(),
      closed: reading.closed,
    }
  } catch (error) {
    await reading.close()
    throw error
  }
}

interface ReportHead {
  reader: ReportReader
  asked: ReportRequest
  plan: ReportPlan
  names: FilterNames
  now: Date
  total: Sum
  rowCount: number
}

/** Returns the top of the file: its subject, who asked for it, and its totals (rule 10.3). */
function factsOf({ reader, asked, plan, names, now, total, rowCount }: ReportHead): Fact[] {
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

/**
 * Thrown when the rows do not match the promised number. A report reads one state of the database, so a difference is a defect. The file must then
 * not look complete.
 */
class LedgerMoved extends Error {
  override name = 'LedgerMoved' as const
  constructor(promised: number, written: number) {
    super(`${promised} rows were promised, ${written} were found`)
  }
}

/** The plan of a report, made before anything is read. File and preview use the same plan. */
export interface ReportPlan {
  filter: RedemptionFilter
  /** The unit by which the preview groups time. */
  unit: TimeUnit
  columns: ReportColumn[]
  rows(scope: Scope, filter: RedemptionFilter): RowSource & FirstRows
  cellsOf(row: TextRow): ReportCell[]
  /** True when a row is the sum of several vouchers. */
  isGrouped: boolean
}

/** Plans a report. Redemptions that come in after `now` are left to the next report, so that the totals at its top stay true. */
export function planReport(asked: ReportRequest, now: Date): ReportPlan {
  switch (asked.report) {
    case 'transaction':
      return transactionPlan(asked.params, now)
    case 'monthly':
      return monthlyPlan(asked.params, now)
    case 'daily':
      return dailyPlan(asked.params, now)
  }
}

const textColumn = (label: string): ReportColumn => ({ label, type: 'text' })

const DENOMINATION: ReportColumn = { label: 'Denomination', type: 'money' }

const SUMS: ReportColumn[] = [DENOMINATION, { label: 'Count', type: 'count' }, { label: 'Amount', type: 'money' }]

const transactionPlan = (asked: TransactionReportRequest, now: Date): ReportPlan => ({
  filter: filterOf(asked, asked.from, addDays(asked.to, 1), now),
  unit: 'day',
  columns: [
    { label: 'Date used', type: 'instant' },
    textColumn('Receipt number'),
    textColumn('Serial number'),
    DENOMINATION,
    textColumn('Branch'),
    textColumn('POS user'),
    { label: 'Recorded at', type: 'instant' },
    textColumn('Late'),
  ],
  rows: ledgerRows,
  cellsOf: ([at = '', receiptNo = '', serial = '', cents, branch = '', posUser = '', recordedAt = '', late = '']) => [
    instantOf(at),
    receiptNumber(receiptNo),
    serial,
    Number(cents),
    branch,
    posUser,
    instantOf(recordedAt),
    late,
  ],
  isGrouped: false,
})

/** Turns a timestamp of PostgreSQL into ISO 8601. */
const instantOf = (at: string) => `${at.slice(0, 10)}T${at.slice(11, 19)}Z`

const monthlyPlan = (asked: MonthlyReportRequest, now: Date): ReportPlan => ({
  filter: filterOf(asked, `${asked.from_month}-01`, `${addMonths(asked.to_month, 1)}-01`, now),
  unit: 'month',
  columns: [
    { label: 'Month', type: 'month' },
    textColumn('Branch'),
    ...SUMS,
    { label: 'Recorded late', type: 'count' },
  ],
  rows: rowsByMonth,
  cellsOf: ([month = '', branch = '', ...sums]) => [month, branch, ...sums.map(Number)],
  isGrouped: true,
})

const dailyPlan = (asked: DailyReportRequest, now: Date): ReportPlan => ({
  filter: filterOf(asked, asked.day, addDays(asked.day, 1), now),
  unit: 'hour',
  columns: [textColumn('Branch'), textColumn('POS user'), ...SUMS],
  rows: rowsByPosUser,
  cellsOf: ([branch = '', posUser = '', ...sums]) => [branch, posUser, ...sums.map(Number)],
  isGrouped: true,
})

type FilterChoices = Pick<DailyReportRequest, 'branch_guid' | 'pos_guid' | 'denomination_cents'>

function filterOf(asked: FilterChoices, from: string, dayAfter: string, now: Date): RedemptionFilter {
  const end = startOfDay(dayAfter)
  const afterNow = new Date(now.getTime() + 1)
  return {
    from: startOfDay(from),
    before: end < afterNow ? end : afterNow,
    branchId: asked.branch_guid,
    posUserId: asked.pos_guid,
    denominationCents: asked.denomination_cents,
  }
}

/** Returns the number of rows of the file; `total` is the sum of the same redemptions. */
export const countRows = (db: Db, { isGrouped }: ReportPlan, source: RowSource, total: Sum): Promise<number> =>
  isGrouped ? countGroups(db, source) : Promise.resolve(total.count)

/**
 * Returns the names of the filters, for the title and the top of a report. Throws Refusal NOT_FOUND for a branch or POS user outside the scope, or a
 * POS user of another branch (ACL-05).
 */
export async function nameFilters(db: Db, scope: Scope, { params }: ReportRequest): Promise<FilterNames> {
  const { branch_guid: branchId, pos_guid: posId, denomination_cents: denominationCents } = params
  const branch = branchId === null ? undefined : await findBranch(db, scope, branchId)
  const posUser = posId === null ? undefined : await findPosUser(db, scope, posId)
  const isMissing = (branchId !== null && !branch) || (posId !== null && !posUser)
  const isElsewhere = branch && posUser && posUser.branchId !== branch.guid
  if (isMissing || isElsewhere) throw new Refusal('NOT_FOUND')
  return { branch: branch?.name, posUser: posUser?.name, denominationCents }
}
