import type { ReportFormat } from '../../../src/contract/report.ts'
import { csvPieces } from './csvPieces.ts'
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
