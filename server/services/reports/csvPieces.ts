import type { ReportCell, ReportColumn } from '../../../src/contract/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { BYTE_ORDER_MARK, timestampCell, toCsv } from '../csv.ts'
import type { Report } from './Report.ts'

/** CSV text: the facts, an empty line, the names of the columns, the rows. */
export async function* csvPieces({ facts, columns, rows }: Report): AsyncGenerator<string, void, void> {
  const head = facts.map(({ label, value, type }) => [label, CELLS[type](value)])
  yield `${BYTE_ORDER_MARK}${toCsv(head)}\r\n${toCsv([columns.map(({ label }) => label)])}`
  const writers = columns.map(({ type }) => CELLS[type])
  for await (const batch of rows) yield toCsv(batch.map((row) => row.map((cell, i) => writers[i]!(cell))))
}

const CELLS: Record<ReportColumn['type'], (cell: ReportCell) => string> = {
  text: String,
  month: String,
  count: String,
  money: (cents) => centsAsDecimal(Number(cents)),
  instant: (at) => timestampCell(new Date(at)),
}
