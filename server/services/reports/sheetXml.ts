import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import { filterOf, HEAD, letterOf, MAIN, STYLES, type SheetRows } from './workbookXml.ts'

/** Characters across. */
const WIDTHS: Record<ReportColumn['type'], number> = { text: 24, money: 14, count: 10, instant: 20, month: 12 }

/** Everything in front of the rows: the header stays in view, and the page is as wide as the columns. */
export function sheetStart(columns: ReportColumn[], { header }: SheetRows): string {
  const widths = columns.map(
    ({ type }, index) => `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[type]}" customWidth="1"/>`,
  )
  const below = `A${header + 1}`
  return [
    `${HEAD}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`,
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="${header}" topLeftCell="${below}" activePane="bottomLeft" state="frozen"/>`,
    `<selection pane="bottomLeft" activeCell="${below}" sqref="${below}"/></sheetView></sheetViews>`,
    `<sheetFormatPr defaultRowHeight="15" outlineLevelRow="1"/><cols>${widths.join('')}</cols><sheetData>`,
  ].join('')
}

/** Everything behind the rows: the filter of the header, and A4 on its side, one page wide and as many long as there are. */
export const sheetEnd = (columns: ReportColumn[], rows: SheetRows): string =>
  [
    `</sheetData><autoFilter ref="${filterOf(columns.length, rows)}"/>`,
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>',
  ].join('')

export const blankRow = (number: number): string => `<row r="${number}"${FOLDS}/>`

export const headerRow = (number: number, columns: ReportColumn[]): string =>
  rowOf(columns.map((_, index) => cellWriter(index, STYLES.header, TEXT)))(
    number,
    columns.map(({ label }) => label),
  )

type RowWriter = (number: number, cells: ReportCell[]) => string

/** Writes rows of the sheet; cells are typed by their columns, never by what they look like. */
export const rowWriter = (types: ReportColumn['type'][], attributes = ''): RowWriter =>
  rowOf(
    types.map((type, index) => cellWriter(index, STYLES[type], VALUES[type])),
    attributes,
  )

/** The head folds away with one press: frozen above the header it would take half of a small screen. */
export const factWriter = (type: ReportColumn['type']): RowWriter => rowWriter(['text', type], FOLDS)

const FOLDS = ' outlineLevel="1"'

const rowOf =
  (writers: CellWriter[], attributes = ''): RowWriter =>
  (number, cells) => {
    let xml = `<row r="${number}"${attributes}>`
    for (let index = 0; index < writers.length; index += 1) xml += writers[index]!(number, cells[index] ?? '')
    return `${xml}</row>`
  }

type CellWriter = (row: number, cell: ReportCell) => string

interface Value {
  /** Between the style and the value, and behind it. */
  around: [string, string]
  write(cell: ReportCell): string
}

function cellWriter(column: number, style: number, { around: [open, close], write }: Value): CellWriter {
  const before = `<c r="${letterOf(column)}`
  const between = `" s="${style}"${open}`
  return (row, cell) => before + row + between + write(cell) + close
}

/** Never a formula: `=1+1` is text here, and its style keeps it text when somebody edits it (TBL-11). */
const TEXT: Value = {
  around: [' t="inlineStr"><is><t xml:space="preserve">', '</t></is></c>'],
  write: (cell) => xmlText(String(cell)),
}

const number = (write: Value['write']): Value => ({ around: ['><v>', '</v></c>'], write })

/** Excel knows no zones: days since 1900 as a clock on the wall in Singapore shows them. */
const excelDate = (seconds: number): string => String((seconds + OFFSET_SECONDS) / DAY_SECONDS + EPOCH_DAYS)

/**
 * To the second, and a quarter of a millisecond: the nearest double of a second is below it as often as above, and readers that cut
 * to the millisecond, as SheetJS and read-excel-file do, would show the second before.
 */
const instant = (at: number): string => excelDate(Math.floor(at / 1_000) + 0.000_25)

const VALUES: Record<ReportColumn['type'], Value> = {
  text: TEXT,
  money: number((cents) => centsAsDecimal(Number(cents))),
  count: number(String),
  instant: number((at) => instant(Date.parse(String(at)))),
  month: number((month) => excelDate(startOfDay(`${month}-01`).getTime() / 1_000)),
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
