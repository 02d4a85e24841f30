import type { ReportCell, ReportColumn } from '../../../src/contract/reportPreview.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { startOfDay } from '../../../src/domain/singaporeTime.ts'
import { STYLES } from './workbookParts.ts'
import { xmlText } from './xmlText.ts'

/** Characters across. */
const WIDTHS: Record<ReportColumn['type'], number> = { text: 24, money: 14, count: 10, instant: 20, month: 12 }

export function sheetStart(columns: ReportColumn[]): string {
  const widths = columns.map(
    ({ type }, index) => `<col min="${index + 1}" max="${index + 1}" width="${WIDTHS[type]}" customWidth="1"/>`,
  )
  return `${START}<cols>${widths.join('')}</cols><sheetData>`
}

const START =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
export const SHEET_END = '</sheetData></worksheet>'

export const blankRow = (number: number): string => `<row r="${number}"/>`

export const headerRow = (number: number, columns: ReportColumn[]): string =>
  `<row r="${number}">${columns.map(({ label }, index) => textCell(address(index, number), label, STYLES.header)).join('')}</row>`

/** A row of the sheet; its cells are typed by their columns, never by what they look like. */
export function rowXml(number: number, cells: ReportCell[], columns: ReportColumn[]): string {
  const xml = cells.map((cell, index) => CELLS[columns[index]?.type ?? 'text'](address(index, number), cell))
  return `<row r="${number}">${xml.join('')}</row>`
}

type Cell = (at: string, cell: ReportCell) => string

/** No column is a formula: `=1+1` is text here, and its style keeps it text when somebody edits it (cases TBL-11). */
const CELLS: Record<ReportColumn['type'], Cell> = {
  text: (at, cell) => textCell(at, String(cell), STYLES.text),
  money: (at, cents) => numberCell(at, centsAsDecimal(Number(cents)), STYLES.money),
  count: (at, count) => numberCell(at, count, STYLES.count),
  instant: (at, instant) => numberCell(at, excelDate(new Date(instant)), STYLES.instant),
  month: (at, month) => numberCell(at, excelDate(startOfDay(`${month}-01`)), STYLES.month),
}

const textCell = (at: string, text: string, style: number) =>
  `<c r="${at}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`
const numberCell = (at: string, value: ReportCell, style: number) => `<c r="${at}" s="${style}"><v>${value}</v></c>`

/** Reports have fewer columns than the alphabet has letters. */
const address = (column: number, row: number) => String.fromCodePoint(65 + column) + row

const DAY_SECONDS = 86_400
const OFFSET_SECONDS = 8 * 60 * 60
/** Days from the beginning of Excel's calendar to 1970. */
const EPOCH_DAYS = 25_569

/** Excel knows no zones: days since 1900 as a clock on the wall in Singapore shows them, to the second. */
const excelDate = (at: Date): number => (Math.floor(at.getTime() / 1_000) + OFFSET_SECONDS) / DAY_SECONDS + EPOCH_DAYS
