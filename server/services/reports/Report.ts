import type { ReportCell, ReportColumn, Sum } from '../../../src/contract/reports/reportPreview.ts'

/** An entry at the top of the report, which says what the file is about. */
export interface Fact {
  label: string
  value: ReportCell
  type: ReportColumn['type']
}

/** A report that is being read, before it is written in a file format. */
export interface Report {
  /** The filename without its ending: `Transaction Report, 2026-11-01 to 2026-11-21`. */
  name: string
  facts: Fact[]
  columns: ReportColumn[]
  rowCount: number
  total: Sum
  /** Throws when the number of rows differs from `rowCount`, so that half a report cannot pass for a whole one. */
  rows: AsyncGenerator<ReportCell[][], void, void>
  /** Ends the reading, even if rows are left. May be called again. */
  close(): Promise<void>
  /** Resolves when the reading has ended, even without a call of `close`. */
  closed: Promise<void>
}
