import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ReportCell, ReportColumn } from '../../../src/contract/reports/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import type { Report } from './Report.ts'

/** Excel's own limit is 1,048,576 rows, some of which the facts at the top need. */
export const MOST_ROWS = 1_048_500

/** One fixed time in every time zone, so that the same report has the same bytes (RPT-04). */
const fixedTime = () => ({ mtime: new Date(2000, 0, 1), forceDosTimestamp: true })
/** The file is a third larger than at the usual level, but takes a third of the time. */
const fastAndFixedTime = () => ({ ...fixedTime(), compressionLevel: 1 })

/** Writes a workbook of one sheet, zipped while the report is read. */
export async function* xlsxPieces(report: Report): AsyncGenerator<Uint8Array, void, void> {
  const header = report.facts.length + 2
  const place = { header, last: header + report.rowCount }
  const sheet = sheetOf(report, place)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // The reader gets the error with the next chunk. Without this listener, the error would end the process.
  output.on('error', () => undefined)
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  for (const [path, xml] of workbookParts(report.columns.length, place))
    zip.addBuffer(Buffer.from(xml), path, fixedTime())
  zip.addReadStreamLazy('xl/worksheets/sheet1.xml', fastAndFixedTime(), (provide) => {
    provide(null, Readable.from(sheet).on('error', fail))
  })
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    await Promise.allSettled([sheet.return(), report.rows.return()])
  }
}

async function* sheetOf({ facts, columns, rows }: Report, place: SheetRows): AsyncGenerator<string, void, void> {
  const { header } = place
  const head = facts.map(({ label, value, type }, index) => factWriter(type)(index + 1, [label, value]))
  yield [sheetStart(columns, place), ...head, blankRow(header - 1), headerRow(header, columns)].join('')
  const write = rowWriter(columns.map(({ type }) => type))
  let number = header + 1
  for await (const found of rows) yield found.map((row) => write(number++, row)).join('')
  yield sheetEnd(columns, place)
}

/** Widths in characters. */
const WIDTHS: Record<ReportColumn['type'], number> = { text: 24, money: 14, count: 10, instant: 20, month: 12 }

/** Returns the XML before the rows: the header stays in view, and the page is as wide as the columns. */
function sheetStart(columns: ReportColumn[], { header }: SheetRows): string {
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

/** Returns the XML after the rows: the filter of the header, and landscape A4, one page wide and as many pages long as needed. */
const sheetEnd = (columns: ReportColumn[], rows: SheetRows): string =>
  [
    `</sheetData><autoFilter ref="${filterOf(columns.length, rows)}"/>`,
    '<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/></worksheet>',
  ].join('')

const blankRow = (number: number): string => `<row r="${number}"${FOLDABLE}/>`

const headerRow = (number: number, columns: ReportColumn[]): string =>
  rowOf(columns.map((_, index) => cellWriter(index, STYLES.header, TEXT)))(
    number,
    columns.map(({ label }) => label),
  )

type RowWriter = (number: number, cells: ReportCell[]) => string

/** Writes rows of the sheet. The columns decide the types of the cells, never their contents. */
const rowWriter = (types: ReportColumn['type'][], attributes = ''): RowWriter =>
  rowOf(
    types.map((type, index) => cellWriter(index, STYLES[type], VALUES[type])),
    attributes,
  )

/** Writes a fact as a row that one press folds away: the frozen facts take half of a small screen. */
const factWriter = (type: ReportColumn['type']): RowWriter => rowWriter(['text', type], FOLDABLE)

const FOLDABLE = ' outlineLevel="1"'

const rowOf =
  (writers: CellWriter[], attributes = ''): RowWriter =>
  (number, cells) => {
    let xml = `<row r="${number}"${attributes}>`
    for (let index = 0; index < writers.length; index += 1) xml += writers[index]!(number, cells[index] ?? '')
    return `${xml}</row>`
  }

type CellWriter = (row: number, cell: ReportCell) => string

interface Value {
  /** The XML between the style and the value, and after the value. */
  around: [string, string]
  write(cell: ReportCell): string
}

function cellWriter(column: number, style: number, { around: [open, close], write }: Value): CellWriter {
  const before = `<c r="${letterOf(column)}`
  const between = `" s="${style}"${open}`
  return (row, cell) => before + row + between + write(cell) + close
}

/** Writes text, never a formula: `=1+1` stays text, and its style keeps it text when a person edits the cell (TBL-11). */
const TEXT: Value = {
  around: [' t="inlineStr"><is><t xml:space="preserve">', '</t></is></c>'],
  write: (cell) => xmlText(String(cell)),
}

const numberValue = (write: Value['write']): Value => ({ around: ['><v>', '</v></c>'], write })

/** Returns the days since 1900 by Singapore's wall clock, because Excel has no time zones. `seconds` counts from 1970. */
const excelDate = (seconds: number): string => String((seconds + OFFSET_SECONDS) / DAY_SECONDS + EPOCH_DAYS)

/**
 * Cuts to the second and adds a quarter of a millisecond. The double nearest to a second may be a little below it, and readers that cut to the
 * millisecond, like SheetJS and read-excel-file, would then show the second before.
 */
const excelInstant = (milliseconds: number): string => excelDate(Math.floor(milliseconds / 1_000) + 0.000_25)

const VALUES: Record<ReportColumn['type'], Value> = {
  text: TEXT,
  money: numberValue((cents) => centsAsDecimal(Number(cents))),
  count: numberValue(String),
  instant: numberValue((at) => excelInstant(Date.parse(String(at)))),
  month: numberValue((month) => excelDate(startOfDay(`${month}-01`).getTime() / 1_000)),
}

const DAY_SECONDS = 86_400

const OFFSET_SECONDS = 8 * 60 * 60

/** The days from the beginning of Excel's calendar to 1970. */
const EPOCH_DAYS = 25_569

const REPLACEMENTS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Characters that XML cannot hold or would change, and text that looks like an escape of the format. */
// oxlint-disable-next-line no-control-regex -- The pattern has to name control characters.
const SPECIAL = /[&<>\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/g

/** Escapes text for a cell of a workbook. The format writes a character that XML cannot hold as `_x000D_`. */
const xmlText = (text: string): string =>
  text.replaceAll(
    SPECIAL,
    (sign) => REPLACEMENTS[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The styles by their index in `cellXfs`. */
const STYLES = { text: 1, money: 2, count: 3, instant: 4, month: 5, header: 6 } as const

/** The rows of the table in the sheet: its header, and the last row. */
interface SheetRows {
  header: number
  last: number
}

/** Reports have fewer columns than the alphabet has letters. */
const letterOf = (column: number): string => String.fromCodePoint(65 + column)

const filterOf = (columns: number, { header, last }: SheetRows, fixed = ''): string =>
  `${fixed}A${fixed}${header}:${fixed}${letterOf(columns - 1)}${fixed}${last}`

/** Returns the path and XML of every part of a workbook except its sheet. */
const workbookParts = (columns: number, rows: SheetRows): [path: string, xml: string][] => [
  ['[Content_Types].xml', CONTENT_TYPES],
  ['_rels/.rels', relationships([relationship('rId1', 'officeDocument', 'xl/workbook.xml')])],
  ['xl/workbook.xml', workbook(columns, rows)],
  [
    'xl/_rels/workbook.xml.rels',
    relationships([
      relationship('styles', 'styles', 'styles.xml'),
      relationship('sheet1', 'worksheet', 'worksheets/sheet1.xml'),
    ]),
  ],
  ['xl/styles.xml', STYLE_SHEET],
]

const CONTENT_TYPES = [
  `${HEAD}<Types xmlns="${PACKAGE}/content-types">`,
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
  '<Default Extension="xml" ContentType="application/xml"/>',
  `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>`,
  `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/>`,
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>`,
  '</Types>',
].join('')

const relationship = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const relationships = (lines: string[]) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${lines.join('')}</Relationships>`

/** The header is repeated on every printed page. The filter also gets a defined name, because some spreadsheets do not show it otherwise. */
function workbook(columns: number, rows: SheetRows) {
  const named = (name: string, range: string, more = '') =>
    `<definedName name="_xlnm.${name}" localSheetId="0"${more}>'Report'!${range}</definedName>`
  return [
    `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Report" sheetId="1" r:id="sheet1"/></sheets>`,
    '<definedNames>',
    named('_FilterDatabase', filterOf(columns, rows, '$'), ' hidden="1"'),
    named('Print_Titles', `$${rows.header}:$${rows.header}`),
    '</definedNames></workbook>',
  ].join('')
}

const style = (attributes: string) => `<xf fontId="0" fillId="0" borderId="0" xfId="0" ${attributes}/>`

/** Numbers are aligned right; a date aligned right would touch the text of the next column. */
const leftStyle = (numFmtId: number) =>
  `<xf fontId="0" fillId="0" borderId="0" xfId="0" numFmtId="${numFmtId}" applyNumberFormat="1" applyAlignment="1"><alignment horizontal="left"/></xf>`

/** `quotePrefix` is the apostrophe of a spreadsheet: text that looks like a formula stays text, even after an edit. */
const STYLE_SHEET = [
  `${HEAD}<styleSheet xmlns="${MAIN}">`,
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="yyyy\\-mm"/></numFmts>',
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="7">',
  style('numFmtId="0"'),
  style('numFmtId="49" quotePrefix="1" applyNumberFormat="1"'),
  style('numFmtId="4" applyNumberFormat="1"'),
  style('numFmtId="3" applyNumberFormat="1"'),
  leftStyle(164),
  leftStyle(165),
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>',
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('')
