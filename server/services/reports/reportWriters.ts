import type { ReportFormat } from '../../../src/contract/reports/report.ts'
import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { BYTE_ORDER_MARK, csvLine, escapeFormula, instantCell, toCsv } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import type { Report } from './Report.ts'
import { xlsxPieces } from './xlsxPieces.ts'

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
async function* csvPieces({ facts, columns, csv }: Report): AsyncGenerator<string | Uint8Array, void, void> {
  const head = facts.map(({ label, value, type }) => csvLine([escapeFormula(label), FACTS[type](value)]))
  yield [BYTE_ORDER_MARK, ...head, '\r\n', toCsv([columns.map(({ label }) => label)])].join('')
  yield* csv
}

/** Numbers are written by us and never formulas: only text is looked at. The database writes the rows (db/tables/csvCells.ts), by the same rules. */
const FACTS: Record<ReportColumn['type'], (value: ReportCell) => string> = {
  text: (value) => escapeFormula(String(value)),
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: (at) => instantCell(String(at)),
}
