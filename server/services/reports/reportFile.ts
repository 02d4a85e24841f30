import { v7 as uuidv7 } from 'uuid'
import type { ReportFormat } from '../../../src/contract/reports/report.ts'
import type { ReportCell, ReportColumn, ReportPreviewRequest } from '../../../src/contract/reports/reportPreview.ts'
import { BYTE_ORDER_MARK, csvLine, escapeFormula, instantCell, toCsv } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { acquireSlot, releaseSlot, renewSlot } from '../../db/reports/reportSlots.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { fairReadings } from '../fairReadings.ts'
import { Refusal } from '../Refusal.ts'
import { noteWhenDelivered } from '../tables/readTable.ts'
import { openReport } from './openReport.ts'
import type { Report } from './Report.ts'
import { xlsxPieces } from './xlsxPieces.ts'

export interface ReportFile {
  filename: string
  contentType: string
  rows: number
  /** Throws when it cannot be made to its end. */
  pieces: AsyncGenerator<string | Uint8Array, void, void>
  /** To be called when nobody reads on, whyever: frees one of the user's two report slots and the database. */
  release(): Promise<void>
}

/**
 * A report of the actor's scope as a file. Throws Refusal NOT_FOUND for a branch or POS user outside the scope,
 * TOO_MANY_REPORTS, SERVER_BUSY.
 */
export async function reportFile(deps: Deps, actor: Actor, asked: ReportPreviewRequest): Promise<ReportFile> {
  const { scope, organisation, loginName, userId } = actor
  const slot = await takeReportSlot(deps, userId)
  let report: Report | undefined
  const release = async () => void (await Promise.all([report?.close(), slot.free()]))
  try {
    const reader = { scope, organisationName: organisation.name, requestedBy: loginName }
    report = await openReport({ ...deps, database: fairReadings(deps.database, organisation.id) }, reader, asked)
    const { contentType, pieces } = REPORT_WRITERS[asked.params.format]
    return {
      rows: report.rowCount,
      filename: `${report.name}.${asked.params.format}`,
      contentType,
      pieces: noteWhenDelivered(
        deps,
        actor,
        downloaded(asked, report),
        renewing(pieces(report), () => slot.renew()),
      ),
      release,
    }
  } catch (error) {
    await release().catch(() => undefined)
    throw error
  }
}

async function* renewing<T>(pieces: AsyncGenerator<T, void, void>, renew: () => Promise<void>) {
  for await (const piece of pieces) {
    await renew()
    yield piece
  }
}

const downloaded = ({ report: id, params }: ReportPreviewRequest, { name, rowCount }: Report) => ({
  action: 'report.downloaded' as const,
  subject: { type: 'report' as const, id, name },
  branchId: params.branch_guid,
  details: { format: params.format, rows: rowCount },
})

/** Well before a lease ends (db/reports/reportSlots.ts). */
const RENEW_MS = 15_000

interface ReportSlot {
  /** To be said as long as the report goes on; most of the time it is nothing to do. */
  renew(): Promise<void>
  free(): Promise<void>
}

/** One of the two reports a user may have under way. Throws Refusal TOO_MANY_REPORTS (RPT-07). */
async function takeReportSlot(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  userId: string,
): Promise<ReportSlot> {
  const leaseId = uuidv7()
  let renewedAt = clock.now()
  const taken = await acquireSlot(database.db, userId, leaseId, renewedAt)
  if (!taken) throw new Refusal('TOO_MANY_REPORTS', { retryAfterSeconds: 5 })
  return {
    async renew() {
      const now = clock.now()
      if (now.getTime() - renewedAt.getTime() < RENEW_MS) return
      renewedAt = now
      await renewSlot(database.db, userId, leaseId, now)
    },
    free: () => releaseSlot(database.db, userId, leaseId),
  }
}

interface Writer {
  contentType: string
  pieces(report: Report): AsyncGenerator<string | Uint8Array, void, void>
}

/** The same report as either kind of file. */
export const REPORT_WRITERS: Record<ReportFormat, Writer> = {
  csv: { contentType: 'text/csv; charset=utf-8', pieces: csvPieces },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pieces: xlsxPieces,
  },
}

/** The facts, an empty line, the names of the columns, the rows. */
async function* csvPieces({ facts, columns, rows }: Report): AsyncGenerator<string, void, void> {
  const head = facts.map(({ label, value, type }) => csvLine([escapeFormula(label), CELLS[type](value)]))
  yield [BYTE_ORDER_MARK, ...head, '\r\n', toCsv([columns.map(({ label }) => label)])].join('')
  for await (const batch of rows) {
    yield batch.map((row) => csvLine(row.map((cell, n) => CELLS[columns[n]!.type](cell)))).join('')
  }
}

/** Numbers are written by us and never formulas: only text is looked at. The database writes the cells of lists (db/tables/csvCells.ts), by the same rules. */
const CELLS: Record<ReportColumn['type'], (value: ReportCell) => string> = {
  text: (value) => escapeFormula(String(value)),
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: (at) => instantCell(String(at)),
}
