import Papa from 'papaparse'
import { LIMITS } from '../../contract/limits.ts'
import { END_OF_FILE, unescapeFormula } from '../../domain/csv.ts'
import { formatBytes, formatCount } from '../../domain/quantities.ts'
import { shortened } from '../../domain/shortened.ts'
import type { Cells, ImportColumn } from './importKinds.ts'
import { readDays, type DayOrder } from './readDays.ts'

export interface ImportFile {
  name: string
  /** Remarks from reading the file. */
  notes: readonly string[]
  rows: readonly ReadRow[]
}

/** Reads a file on this device. Returns its rows, the reason why it cannot be used, or an ambiguous day (`unclear`). */
export async function readImportFile(
  columns: readonly ImportColumn[],
  file: File,
  order?: DayOrder,
): Promise<ImportFile | { failure: string } | { unclear: string }> {
  const text = await readText(file)
  if ('failure' in text) return text
  const read = readRows(text.text, columns, order)
  return 'rows' in read ? { name: file.name, notes: [...text.notes, ...read.notes], rows: read.rows } : read
}

/** The text of a file, or a sentence that says why it cannot be read. */
type ReadText = { text: string; notes: string[] } | { failure: string }

const MAX_BYTES = LIMITS.importMb * 1_048_576

/** Reads a file as text, whatever program wrote it. Checks the size first. */
export async function readText(file: File): Promise<ReadText> {
  if (file.size === 0) return { failure: `${file.name} is empty.` }
  if (file.size > MAX_BYTES) {
    return { failure: `${file.name} is ${formatBytes(file.size)}. A file may have at most ${LIMITS.importMb} MB.` }
  }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { failure: `${file.name} could not be read. Choose it again.` }
  return decodeText(new Uint8Array(bytes))
}

/** Decodes UTF-16 with a byte order mark, otherwise UTF-8, otherwise Windows-1252. */
export function decodeText(bytes: Uint8Array): ReadText {
  const utf16 = detectUtf16(bytes)
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), notes: [] }
  const program = detectSpreadsheet(bytes)
  if (program) return { failure: `This is ${program} file. Save it as CSV ("CSV UTF-8") and choose that file.` }
  if (bytes.includes(0)) return { failure: 'This is not a text file. Choose a CSV file.' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), notes: [] }
  } catch {
    const notes = ['The file is not in UTF-8. It was read as Windows-1252: check names with accents.']
    return { text: new TextDecoder('windows-1252').decode(bytes), notes }
  }
}

function detectUtf16([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** The first bytes of a zip (.xlsx, .ods), and of the older container of .xls. */
const MAGIC = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

/** Names the program of a spreadsheet. The zip of an .ods begins with its type as plain text. */
function detectSpreadsheet(bytes: Uint8Array): string | undefined {
  if (!MAGIC.some((magic) => magic.every((byte, index) => bytes[index] === byte))) return undefined
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 100))
  return start.includes('oasis.opendocument') ? 'a LibreOffice' : 'an Excel'
}

/** A data row of a file. */
export interface ReadRow {
  /** The row number in a spreadsheet: the header is row 1. */
  number: number
  cells: Cells
  /** True if the row has more cells than the header. */
  hasExtraCells: boolean
}

/** The rows of a file, a sentence that says why it cannot be used, or an ambiguous day. */
type ReadRows = { rows: ReadRow[]; notes: string[] } | { failure: string } | { unclear: string }

/** The title of the column with reasons that this portal adds to a file of failed rows. Reading ignores this column. */
export const ERROR_TITLE = 'Error'

const DELIMITERS = [',', ';', '\t'] as const

/** Reads CSV by its header: columns in any order, separated by commas, semicolons or tabs. */
export function readRows(text: string, columns: readonly ImportColumn[], order?: DayOrder): ReadRows {
  // Excel may write a first line that names the delimiter.
  const csv = text.replace(/^\uFEFF/, '').replace(/^sep=.\r?\n/i, '')
  const delimiter = detectDelimiter(csv, columns)
  const { data, errors } = Papa.parse<string[]>(csv, { delimiter, skipEmptyLines: 'greedy' })
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (broken)
    return {
      failure: `Row ${(broken.row ?? 0) + 1} of the file has a quotation mark that is not closed. Correct it in the file.`,
    }
  const [header = [], ...lines] = removeEndMark(data)
  const columnsByHeader = assignColumns(header, columns)
  const failure = headerError(header, columnsByHeader, columns) ?? rowCountError(lines.length)
  if (failure !== undefined) return { failure }
  const rows = lines.map((line, index) => ({
    number: index + 2,
    cells: readCells(line, columnsByHeader, columns),
    hasExtraCells: isLongerThan(line, header.length),
  }))
  const dayKeys = columns.filter(({ type }) => type === 'day').map(({ key }) => key)
  const read = readDays(
    rows.flatMap(({ cells }) => dayKeys.map((key) => cells[key] ?? '')),
    order,
  )
  if ('unclear' in read) return read
  const withDays = (cells: Cells) => ({
    ...cells,
    ...Object.fromEntries(dayKeys.map((key) => [key, read.days(cells[key] ?? '')])),
  })
  return {
    rows: rows.map((row) => Object.assign(row, { cells: withDays(row.cells) })),
    notes: [...unusedColumnNotes(header, columnsByHeader), ...(read.order === 'month' ? [MONTH_FIRST] : [])],
  }
}

/** Removes the last line if it is the end mark of an export: people edit exports and import them. A spreadsheet adds empty cells to that line. */
const removeEndMark = (lines: string[][]) =>
  lines
    .at(-1)
    ?.filter((cell) => cell !== '')
    .join() === END_OF_FILE
    ? lines.slice(0, -1)
    : lines

/** Returns the delimiter that gives the most known columns in the header. Rows do not count: addresses have commas. */
function detectDelimiter(csv: string, columns: readonly ImportColumn[]): string {
  const known = DELIMITERS.map((delimiter) => {
    const [header = []] = Papa.parse<string[]>(csv, { delimiter, preview: 1, skipEmptyLines: 'greedy' }).data
    return header.filter((title) => findColumn(columns, title)).length
  })
  return DELIMITERS[known.indexOf(Math.max(...known))]!
}

const plainTitle = (title: string) => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const hasTitle = (column: ImportColumn, title: string) => plainTitle(column.title) === plainTitle(title)

const findColumn = (columns: readonly ImportColumn[], title: string): ImportColumn | undefined =>
  columns.find((column) => [column.title, ...column.synonyms].some((name) => plainTitle(name) === plainTitle(title)))

type ColumnsByHeader = readonly (ImportColumn | undefined)[]

/**
 * Assigns a column to each header. A synonym is ignored if the exact title is there too: an export has both "Branch code"
 * and "Branch".
 */
const assignColumns = (header: string[], columns: readonly ImportColumn[]): ColumnsByHeader =>
  header.map((title) => {
    const column = findColumn(columns, title)
    const isElsewhere = column && !hasTitle(column, title) && header.some((other) => hasTitle(column, other))
    return isElsewhere ? undefined : column
  })

function headerError(
  header: string[],
  columnsByHeader: ColumnsByHeader,
  columns: readonly ImportColumn[],
): string | undefined {
  const found = columnsByHeader.filter((column) => column !== undefined)
  if (found.length === 0) return 'The first row of the file names none of the columns. Start from the template.'
  const missing = columns.filter((column) => column.needed && !found.includes(column)).map(({ title }) => title)
  if (missing.length > 0)
    return `The file has no ${missing.length === 1 ? 'column' : 'columns'} ${joinNames(missing)}. Start from the template.`
  const duplicate = found.find((column, index) => found.indexOf(column) !== index)
  if (!duplicate) return undefined
  const titles = header.filter((_, index) => columnsByHeader[index] === duplicate)
  return `The columns ${joinNames(titles)} are both ${duplicate.title}. Keep one of them.`
}

function rowCountError(rows: number): string | undefined {
  if (rows === 0) return 'The file has no rows below its header.'
  return rows > LIMITS.importRows
    ? `The file has ${formatCount(rows)} rows. An import may have at most ${formatCount(LIMITS.importRows)}: split the file.`
    : undefined
}

function unusedColumnNotes(header: string[], columnsByHeader: ColumnsByHeader): string[] {
  const names = header.filter(
    (title, index) => !columnsByHeader[index] && title.trim() && plainTitle(title) !== plainTitle(ERROR_TITLE),
  )
  if (names.length === 0) return []
  const joined = joinNames(names)
  return [names.length === 1 ? `The column ${joined} is not used.` : `The columns ${joined} are not used.`]
}

const MAX_NAMES = 5

function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => shortened(name.trim(), 40))
  const rest = names.length - shown.length
  return new Intl.ListFormat('en-GB').format(rest > 0 ? [...shown, `${rest} more`] : shown)
}

const readCells = (line: string[], columnsByHeader: ColumnsByHeader, columns: readonly ImportColumn[]): Cells => {
  const at = (column: ImportColumn) => unescapeFormula((line[columnsByHeader.indexOf(column)] ?? '').trim())
  return Object.fromEntries(columns.map((column) => [column.key, at(column)]))
}

const MONTH_FIRST = 'Days are read with the month first: 12/1/2026 is 1 December.'

const isLongerThan = (line: string[], width: number) => line.slice(width).some((cell) => cell.trim() !== '')
