import Papa from 'papaparse'
import { LIMITS } from '../../contract/limits.ts'
import { formatCount } from '../../domain/counted.ts'
import { unescapeFormula } from '../../domain/csv.ts'
import type { Cells, ImportColumn } from './ImportKind.ts'

/** A data row of a file; `wide`: it has more cells than the header. */
interface ReadRow {
  cells: Cells
  wide: boolean
}
/** The rows of a file, or why it cannot be used, in words for the person who chose it. */
export type ReadRows = { rows: ReadRow[]; notes: string[] } | { trouble: string }

/** Of files that this portal writes; it is not read back. */
export const ERROR_TITLE = 'Error'
const DELIMITERS = [',', ';', '\t'] as const

/** Reads CSV by its header: columns in any order, between commas, semicolons or tabs. */
export function readRows(text: string, columns: readonly ImportColumn[]): ReadRows {
  // A line for Excel alone, which names the delimiter.
  const csv = text.replace(/^\uFEFF/, '').replace(/^sep=.\r?\n/i, '')
  const delimiter = delimiterOf(csv, columns)
  const { data, errors } = Papa.parse<string[]>(csv, { delimiter, skipEmptyLines: 'greedy' })
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (broken)
    return {
      trouble: `Row ${(broken.row ?? 0) + 1} of the file has a quotation mark that is not closed. Mend it in the file.`,
    }
  const [header = [], ...lines] = data
  const places = header.map((title) => columnNamed(columns, title))
  const trouble = headerError(header, places, columns) ?? rowCountError(lines.length)
  if (trouble !== undefined) return { trouble }
  const rows = lines.map((line) => ({ cells: cellsOf(line, places, columns), wide: isWide(line, header.length) }))
  return { rows, notes: unusedColumnNotes(header, places) }
}

/** The one that makes most of the header known; addresses are full of commas, so the rows are not asked. */
function delimiterOf(csv: string, columns: readonly ImportColumn[]): string {
  const known = DELIMITERS.map((delimiter) => {
    const [header = []] = Papa.parse<string[]>(csv, { delimiter, preview: 1, skipEmptyLines: 'greedy' }).data
    return header.filter((title) => columnNamed(columns, title)).length
  })
  return DELIMITERS[known.indexOf(Math.max(...known))]!
}

const plainTitle = (title: string) => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

const columnNamed = (columns: readonly ImportColumn[], title: string): ImportColumn | undefined => {
  const wanted = plainTitle(title)
  return columns.find((column) =>
    [column.title, ...(column.synonyms ?? [])].some((name) => plainTitle(name) === wanted),
  )
}

type Places = readonly (ImportColumn | undefined)[]

function headerError(header: string[], places: Places, columns: readonly ImportColumn[]): string | undefined {
  const found = places.filter((column) => column !== undefined)
  if (found.length === 0) return 'The first row of the file names none of the columns. Start from the template.'
  const missing = columns.filter((column) => column.needed && !found.includes(column)).map(({ title }) => title)
  if (missing.length > 0)
    return `The file has no ${missing.length === 1 ? 'column' : 'columns'} ${joinNames(missing)}. Start from the template.`
  const twice = found.find((column, index) => found.indexOf(column) !== index)
  if (!twice) return undefined
  const titles = header.filter((_, index) => places[index] === twice)
  return `The columns ${joinNames(titles)} are both ${twice.title}. Keep one of them.`
}

function rowCountError(rows: number): string | undefined {
  if (rows === 0) return 'The file has no rows below its header.'
  return rows > LIMITS.importRows
    ? `The file has ${formatCount(rows)} rows. An import may have at most ${formatCount(LIMITS.importRows)}: split the file.`
    : undefined
}

function unusedColumnNotes(header: string[], places: Places): string[] {
  const names = header.filter(
    (title, index) => !places[index] && title.trim() && plainTitle(title) !== plainTitle(ERROR_TITLE),
  )
  if (names.length === 0) return []
  return [names.length === 1 ? `The column ${names[0]} is not used.` : `The columns ${joinNames(names)} are not used.`]
}

const MOST_NAMED = 5
function joinNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map((name) => name.trim().slice(0, 40))
  const rest = names.length - shown.length
  const all = rest > 0 ? [...shown, `${rest} more`] : shown
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

const cellsOf = (line: string[], places: Places, columns: readonly ImportColumn[]): Cells => {
  const at = (column: ImportColumn) => {
    const cell = unescapeFormula((line[places.indexOf(column)] ?? '').trim())
    return column.read ? column.read(cell) : cell
  }
  return Object.fromEntries(columns.map((column) => [column.key, at(column)]))
}

const isWide = (line: string[], width: number) => line.slice(width).some((cell) => cell.trim() !== '')
