import { singaporeWallTime } from '../../src/domain/singaporeTime.ts'

/** Excel reads a file without it in the code page of the machine. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Lines as RFC 4180 CSV; every cell is text, see `csvText`. */
export const toCsv = (lines: string[][]): string => lines.map((line) => csvLine(line.map(csvText))).join('')

/** Cells that are CSV already, as a line. */
export const csvLine = (cells: string[]): string => `${cells.join(',')}\r\n`

/**
 * Text as a cell of CSV. What a spreadsheet would run as a formula gets an apostrophe in front (cases TBL-11): also behind
 * blanks, which some trim before they look, and in the wide signs of East Asian keyboards.
 *
 * By hand, since this is most of the time of a large file: csv-stringify takes ten times as long.
 */
export function csvText(text: string): string {
  if (!SPECIAL.test(text)) return text
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const FORMULA = /^[\t\r]|^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const QUOTED = /[",\r\n]/
/** Whatever one of the two may find, in one look. */
const SPECIAL = /[",\r\n]|^\s*[=+\-@\t\uFF1D\uFF0B\uFF0D\uFF20]/

/** `2026-11-21 09:38:07`, Singapore time: sorts as text, and every spreadsheet reads it. */
export const timestampCell = (at: Date): string => singaporeWallTime(at)

/** An instant of the wire, or nothing. */
export const instantCell = (at: string | null): string => (at === null ? '' : timestampCell(new Date(at)))
