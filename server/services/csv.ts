import { stringify } from 'csv-stringify/sync'
import { singaporeWallTime } from '../../src/domain/singaporeTime.ts'

/** Excel reads a file without it in the code page of the machine. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Lines as RFC 4180 CSV. A cell that a spreadsheet would run as a formula gets an apostrophe in front (cases TBL-11). */
export const toCsv = (lines: string[][]): string =>
  stringify(
    lines.map((line) => line.map(defuseIndented)),
    // Quotes a lone line break too: csv-stringify itself looks for the record delimiter only.
    { escape_formulas: true, record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  )

/** Some spreadsheets trim before they look, which csv-stringify does not reckon with. */
const defuseIndented = (cell: string) => (/^\s+[=+\-@]/.test(cell) ? `'${cell}` : cell)

/** `2026-11-21 09:38:07`, Singapore time: sorts as text, and every spreadsheet reads it. */
export const timestampCell = (at: Date): string => singaporeWallTime(at)

/** An instant of the wire, or nothing. */
export const instantCell = (at: string | null): string => (at === null ? '' : timestampCell(new Date(at)))
