import type { ReportCell, ReportColumn, Sum } from '../../../src/contract/reports/reportPreview.ts'

/** A line of the head: what the file is about. */
export interface Fact {
  label: string
  value: ReportCell
  type: ReportColumn['type']
}

/** A report that is being read, to be written as whatever a person wants to open. */
export interface Report {
  /** Of the file, without its ending: `Transaction Report, 2026-11-01 to 2026-11-21`. */
  name: string
  facts: Fact[]
  columns: ReportColumn[]
  rowCount: number
  total: Sum
  /** Throws when the rows are not those that the head has promised, so that nobody takes half a report for a whole one. */
  rows: AsyncGenerator<ReportCell[][], void, void>
  /** Ends the reading, read to its end or not. May be called again. */
  close(): Promise<void>
  /** Resolves when the reading has ended, also where nobody has called `close`. */
  closed: Promise<void>
}
