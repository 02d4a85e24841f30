import { singaporeWallTime } from './singaporeTime.ts'

/** Excel reads a file without it in the code page of the machine. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * What a spreadsheet would run as a formula (TBL-11): text that begins with one of `starts`, or behind `blanks`, which
 * some trim before they look, with one of `signs`, also in the wide form of East Asian keyboards. The database judges by the same
 * three (server/db/tables/csvCells.ts).
 */
export const FORMULA = {
  starts: '\t\r',
  blanks:
    '\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
  // The minus comes last: between two others it would be a range of the pattern.
  signs: '=+@\uFF1D\uFF0B\uFF0D\uFF20-',
}

const RUNS = new RegExp(`^[${FORMULA.starts}]|^[${FORMULA.blanks}]*[${FORMULA.signs}]`)

/** Whether a spreadsheet would run this text. */
export const isFormula = (text: string): boolean => RUNS.test(text)

/** What a cell said before `escapeFormula` wrote it. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell

/** Text that a person wrote, with an apostrophe in front of what would be run. */
export const escapeFormula = (text: string): string => (isFormula(text) ? `'${text}` : text)

/** Cells as a line of RFC 4180. They are written as they are: text that a person wrote goes through `escapeFormula` before. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** Lines of text that a person may have written. */
export const toCsv = (lines: readonly string[][]): string =>
  lines.map((line) => csvLine(line.map(escapeFormula))).join('')

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/**
 * `2026-11-21 09:38:07`, Singapore time: sorts as text. Excel reads it as a time, and `2026-11` as a month; LibreOffice leaves both
 * as text unless it is told otherwise, where the XLSX has a time.
 */
export const instantCell = (at: string): string => singaporeWallTime(new Date(at))
