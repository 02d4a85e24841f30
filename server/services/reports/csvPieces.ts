import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { BYTE_ORDER_MARK, csvLine, escapeFormula, instantCell, toCsv } from '../../../src/domain/csv.ts'
import type { Report } from './Report.ts'

/** The facts, an empty line, the names of the columns, the rows. */
export async function* csvPieces({ facts, columns, csv }: Report): AsyncGenerator<string | Uint8Array, void, void> {
  const head = facts.map(({ label, value, type }) => csvLine([escapeFormula(label), FACTS[type](value)]))
  yield [BYTE_ORDER_MARK, ...head, '\r\n', toCsv([columns.map(({ label }) => label)])].join('')
  yield* csv
}

/** Numbers are written by us and never formulas: only text is looked at. Rows are written by db/csvCells.ts, by the same rules. */
const FACTS: Record<ReportColumn['type'], (value: ReportCell) => string> = {
  text: (value) => escapeFormula(String(value)),
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: (at) => instantCell(String(at)),
}
