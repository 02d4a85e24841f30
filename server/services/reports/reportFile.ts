import type { ReportFormat, ReportRequest } from '../../../src/contract/reports/report.ts'
import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { BYTE_ORDER_MARK, csvLine, END_LINE, escapeFormula, instantCell, toCsv } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { noteWhenDelivered } from '../tables/readTable.ts'
import { openReport } from './openReport.ts'
import type { Report } from './Report.ts'
import { MOST_ROWS, xlsxPieces } from './xlsxPieces.ts'

export interface ReportFile {
  filename: string
  contentType: string
  /** Throws when the file cannot be completed. */
  pieces: AsyncGenerator<string | Uint8Array, void, void>
  /** Frees the user's place in the queue and the database connection. Call it when reading stops for any reason. */
  release(): Promise<void>
}

/**
 * Makes a report of the actor's scope as a file. Throws Refusal NOT_FOUND for a branch or POS user outside the scope, TOO_MANY_REPORTS, SERVER_BUSY,
 * and VALIDATION_FAILED for more rows than a sheet can hold.
 */
export async function reportFile(deps: Deps, actor: Actor, asked: ReportRequest): Promise<ReportFile> {
  const { scope, organisation, loginName, userId } = actor
  const freePlace = await deps.queues.reports.take({ key: userId })
  let report: Report | undefined
  try {
    const reader = { scope, organisationName: organisation.name, requestedBy: loginName }
    report = await openReport(deps, reader, asked)
    // The place is freed however the reading ends; the pool itself closes an abandoned reading.
    void report.closed.then(freePlace)
    if (asked.params.format === 'xlsx' && report.rowCount > MOST_ROWS) throw tooManyRows()
    const { contentType, pieces } = REPORT_WRITERS[asked.params.format]
    return {
      filename: `${report.name}.${asked.params.format}`,
      contentType,
      pieces: noteWhenDelivered(deps, actor, downloadEntry(asked, report), pieces(report)),
      release: report.close,
    }
  } catch (error) {
    freePlace()
    await report?.close().catch(() => undefined)
    throw error
  }
}

const tooManyRows = () =>
  new Refusal('VALIDATION_FAILED', {
    fields: [{ path: 'format', rule: 'rows', message: 'must be CSV: a spreadsheet cannot hold so many rows' }],
  })

const downloadEntry = ({ report: id, params }: ReportRequest, { name, rowCount }: Report) => ({
  action: 'report.downloaded' as const,
  subject: { type: 'report' as const, id, name },
  branchId: params.branch_guid,
  details: { format: params.format, rows: rowCount },
})

interface Writer {
  contentType: string
  pieces(report: Report): AsyncGenerator<string | Uint8Array, void, void>
}

/** Writes a report in either file format. */
export const REPORT_WRITERS: Record<ReportFormat, Writer> = {
  csv: { contentType: 'text/csv; charset=utf-8', pieces: csvPieces },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    pieces: xlsxPieces,
  },
}

/** Writes the facts, an empty line, the names of the columns, the rows, the end mark. */
async function* csvPieces({ facts, columns, rows }: Report): AsyncGenerator<string, void, void> {
  const head = facts.map(({ label, value, type }) => csvLine([escapeFormula(label), CELL_WRITERS[type](value)]))
  yield [BYTE_ORDER_MARK, ...head, '\r\n', toCsv([columns.map(({ label }) => label)])].join('')
  for await (const batch of rows) {
    yield batch.map((row) => csvLine(row.map((cell, n) => CELL_WRITERS[columns[n]!.type](cell)))).join('')
  }
  yield END_LINE
}

/**
 * Only text is checked for formulas, because people write only text. The database writes the cells of lists by the same rules
 * (db/tables/csvCells.ts).
 */
const CELL_WRITERS: Record<ReportColumn['type'], (value: ReportCell) => string> = {
  text: (value) => escapeFormula(String(value)),
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: (at) => instantCell(String(at)),
}
