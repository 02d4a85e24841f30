import type { ReportCell, ReportColumn } from '../../../src/contract/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { BYTE_ORDER_MARK, csvLine, csvText, toCsv } from '../csv.ts'
import type { Report } from './Report.ts'
import { wallTimeCells } from './wallTimeCells.ts'

/** CSV text: the facts, an empty line, the names of the columns, the rows. */
export async function* csvPieces({ facts, columns, rows }: Report): AsyncGenerator<string, void, void> {
  const head = facts.map(({ label, value, type }) => csvLine([csvText(label), CELLS[type](value)]))
  yield [BYTE_ORDER_MARK, ...head, '\r\n', toCsv([columns.map(({ label }) => label)])].join('')
  const writers = columns.map(({ type }) => CELLS[type])
  const lineOf = (row: ReportCell[]) => csvLine(row.map((cell, index) => writers[index]!(cell)))
  for await (const batch of rows) yield batch.map(lineOf).join('')
}

/** Numbers are written by us and never formulas: only text is looked at. */
const CELLS: Record<ReportColumn['type'], (cell: ReportCell) => string> = {
  text: (cell) => csvText(String(cell)),
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: wallTimeCells(),
}
