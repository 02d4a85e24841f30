import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import { HEAD, MAIN, STYLES } from './workbookXml.ts'

/** Characters across. */
const WIDTHS: Record<ReportColumn['type'], number> = { text: 24, money: 14, count: 10, instant: 20, month: 12 }

export function sheetStart(columns: ReportColumn[]): string {
  const widths = columns.map(
    ({ type }, index) => `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[type]}" customWidth="1"/>`,
  )
  return `${HEAD}<worksheet xmlns="${MAIN}"><cols>${widths.join('')}</cols><sheetData>`
}

export const SHEET_END = '</sheetData></worksheet>'

export const blankRow = (number: number): string => `<row r="${number}"/>`

export const headerRow = (number: number, columns: ReportColumn[]): string =>
  rowOf(columns.map((_, index) => cellWriter(index, STYLES.header, TEXT)))(
    number,
    columns.map(({ label }) => label),
  )

type RowWriter = (number: number, cells: ReportCell[]) => string

/** Writes rows of the sheet; cells are typed by their columns, never by what they look like. */
export const rowWriter = (types: ReportColumn['type'][]): RowWriter =>
  rowOf(types.map((type, index) => cellWriter(index, STYLES[type], VALUES[type])))

const rowOf =
  (writers: CellWriter[]): RowWriter =>
  (number, cells) => {
    let xml = `<row r="${number}">`
    for (let index = 0; index < writers.length; index += 1) xml += writers[index]!(number, cells[index] ?? '')
    return `${xml}</row>`
  }

type CellWriter = (row: number, cell: ReportCell) => string

interface Value {
  /** Between the style and the value, and behind it. */
  around: [string, string]
  write(cell: ReportCell): string
}

/** Reports have fewer columns than the alphabet has letters. */
function cellWriter(column: number, style: number, { around: [open, close], write }: Value): CellWriter {
  const before = `<c r="${String.fromCodePoint(65 + column)}`
  const between = `" s="${style}"${open}`
  return (row, cell) => before + row + between + write(cell) + close
}

/** Never a formula: `=1+1` is text here, and its style keeps it text when somebody edits it (TBL-11). */
const TEXT: Value = {
  around: [' t="inlineStr"><is><t xml:space="preserve">', '</t></is></c>'],
  write: (cell) => xmlText(String(cell)),
}

const number = (write: Value['write']): Value => ({ around: ['><v>', '</v></c>'], write })

/** Excel knows no zones: days since 1900 as a clock on the wall in Singapore shows them, to the second. */
const excelDate = (at: number): string => String((Math.floor(at / 1_000) + OFFSET_SECONDS) / DAY_SECONDS + EPOCH_DAYS)

const VALUES: Record<ReportColumn['type'], Value> = {
  text: TEXT,
  money: number((cents) => centsAsDecimal(Number(cents))),
  count: number(String),
  instant: number((at) => excelDate(Date.parse(String(at)))),
  month: number((month) => excelDate(startOfDay(`${month}-01`).getTime())),
}

const DAY_SECONDS = 86_400

const OFFSET_SECONDS = 8 * 60 * 60

/** Days from the beginning of Excel's calendar to 1970. */
const EPOCH_DAYS = 25_569

const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What XML cannot hold, what it would change, and what the format would read as one of those. */
// oxlint-disable-next-line no-control-regex -- They are what it is about.
const SPECIAL = /[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g

/** Text as a cell of a workbook has it; `_x000D_` is how the format writes what XML has no way to. */
const xmlText = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (sign) => REPLACEMENTS[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
