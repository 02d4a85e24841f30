import { singaporeWallTime } from './singaporeTime.ts'

/** The first character of a CSV. Without it, Excel reads the file in the code page of the machine. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * The characters that make a spreadsheet run a text as a formula (TBL-11). The text begins with one of `starts`, or with one of `signs`, even after
 * `blanks`, which some programs trim. The signs include the wide forms of East Asian keyboards. The database uses the same three lists
 * (server/db/tables/csvCells.ts).
 */
export const FORMULA = {
  starts: '\t\r',
  blanks:
    '\t\n\v\f\r \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
  // The minus comes last: between two others it would mean a range in the pattern.
  signs: '=+@\uFF1D\uFF0B\uFF0D\uFF20-',
}

const RUNS_AS_FORMULA = new RegExp(`^[${FORMULA.starts}]|^[${FORMULA.blanks}]*[${FORMULA.signs}]`)

/** True if a spreadsheet would run this text. */
export const isFormula = (text: string): boolean => RUNS_AS_FORMULA.test(text)

/** Returns the text of a cell as it was before `escapeFormula`. */
export const unescapeFormula = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell

/** Puts an apostrophe in front of text that a spreadsheet would run. */
export const escapeFormula = (text: string): string => (isFormula(text) ? `'${text}` : text)

/** Writes cells as a line of RFC 4180, without changing them: text that a person wrote must go through `escapeFormula` first. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

/** Writes lines of cells whose text may come from a person. */
export const toCsv = (lines: readonly string[][]): string =>
  lines.map((line) => csvLine(line.map(escapeFormula))).join('')

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** The text of the last line of a CSV that the server sends. */
export const END_OF_FILE = 'End of file'

/**
 * The end mark of a CSV. Some proxies end a broken answer as if it were whole, so a reader must see the end in the file itself. No file that was cut
 * ends like this: a cell gets quotes only if it needs them, and quotes inside a cell are doubled.
 */
export const END_LINE = `"${END_OF_FILE}"\r\n`

/**
 * Returns for example `2026-11-21 09:38:07`, in Singapore time, which sorts as text. Excel reads it as a time, LibreOffice as text unless it is told
 * otherwise.
 */
export const instantCell = (at: string): string => singaporeWallTime(new Date(at))
