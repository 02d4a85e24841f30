import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import type { ImportAnswer } from '../../contract/imports.ts'
import { BYTE_ORDER_MARK, isFormula, toCsv } from '../../domain/csv.ts'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { ImportColumn, ImportKind, Notes } from './importKinds.ts'
import { ERROR_TITLE, type ReadRow } from './readImportFile.ts'

export interface ImportRow extends ReadRow {
  /** The record in the contract's form; undefined while the row has an error. */
  record: unknown
  /** One sentence for each cell with an error. */
  errors: readonly string[]
  /** One sentence for each cell with a warning. */
  warnings: readonly string[]
  state: 'ready' | 'to fix' | 'created' | 'existing'
  password?: string | null | undefined
}

const EXTRA_CELLS = 'The row has more cells than the header: check for an extra comma.'

/** Validates the rows of a file on this device, before the server is asked. */
export function validateRows(kind: ImportKind, rows: readonly ReadRow[]): readonly ImportRow[] {
  const duplicatesOf = duplicatesIn(kind.columns, rows)
  return rows.map((row) => {
    const { record, errors, warnings } = kind.validate(row.cells)
    const allErrors = toSentences(kind, { ...duplicatesOf(row), ...errors })
    if (row.hasExtraCells) allErrors.unshift(EXTRA_CELLS)
    const isFine = allErrors.length === 0
    return {
      ...row,
      record: isFine ? record : undefined,
      errors: allErrors,
      warnings: toSentences(kind, { ...damageWarnings(kind, row), ...warnings }),
      state: isFine ? 'ready' : 'to fix',
    }
  })
}

/** Returns the same rows with the server's answers, by their numbers. */
export const withAnswers = (kind: ImportKind, rows: readonly ImportRow[], answers: ReadonlyMap<number, ImportAnswer>) =>
  rows.map((row): ImportRow => {
    const answer = answers.get(row.number)
    if (!answer || !row.record || answer.outcome === 'ok') return row
    if (answer.outcome !== 'refused') return { ...row, state: answer.outcome, password: answer.temporary_password }
    const errors = toSentences(kind, Object.fromEntries(answer.fields.map(({ path, message }) => [path, message])))
    return { ...row, record: undefined, errors, state: 'to fix' }
  })

/** Returns sentences that name their columns. */
const toSentences = ({ columns }: ImportKind, notes: Notes): string[] =>
  Object.entries(notes).map(([key, words]) => {
    const title = columns.find((column) => column.key === key)?.title
    const sentence = errorSentence(title ?? key, words)
    return title === undefined || sentence.startsWith(title) ? sentence : `${title}: ${sentence}`
  })

/** Finds values that must be unique and are in two rows. Both rows get the error. */
function duplicatesIn(columns: readonly ImportColumn[], rows: readonly ReadRow[]): (row: ReadRow) => Notes {
  const unique = columns.flatMap((column) => (column.unique ? [column.key] : []))
  const idOf = ({ cells }: ReadRow, key: string) => `${key} ${cells[key]?.toLowerCase()}`
  const holders = new Map<string, number[]>()
  for (const row of rows)
    for (const key of unique) {
      const known = holders.get(idOf(row, key)) ?? []
      // Two row numbers are enough: each row's error names another row.
      if (row.cells[key] && known.length < 2) holders.set(idOf(row, key), [...known, row.number])
    }
  return (row) =>
    Object.fromEntries(
      unique.flatMap((key) => {
        const other = holders.get(idOf(row, key))?.find((number) => number !== row.number)
        return other ? [[key, `Also in row ${other}.`]] : []
      }),
    )
}

/** Values that spreadsheets put in place of typed text. */
const SPREADSHEET_DAMAGE: readonly [RegExp, string][] = [
  [/^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|#+)$/i, 'This is a spreadsheet error.'],
  [/^\d(?:[.,]\d+)?E\+?\d+$/i, 'Has a spreadsheet shortened this number?'],
  [
    /^(?=.*\d)(?:\d{1,2}-)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d\d(?:\d\d)?)?$/i,
    'Has a spreadsheet turned this into a date?',
  ],
]

const damageWarnings = ({ columns }: ImportKind, { cells }: ReadRow): Notes =>
  Object.fromEntries(
    columns.flatMap(({ key, type }) => {
      const text = cells[key] ?? ''
      if (type) return []
      if (isFormula(text)) return [[key, 'Looks like a formula. It is read as text.']]
      const odd = SPREADSHEET_DAMAGE.find(([pattern]) => pattern.test(text))
      return odd ? [[key, odd[1]]] : []
    }),
  )

/** Saves the header only: an example row would be imported by mistake. */
export const saveTemplate = (kind: ImportKind) => saveCsv(`${kind.key}-template.csv`, [titlesOf(kind)])

/** Saves the rows that were not imported, with the reasons in an extra column, so that they can be corrected. */
export const saveFailedRows = (kind: ImportKind, rows: readonly ImportRow[]) =>
  saveCsv(`${kind.key}-not-imported.csv`, failedLines(kind, rows))

export const failedLines = (kind: ImportKind, rows: readonly ImportRow[]): string[][] => [
  [...titlesOf(kind), ERROR_TITLE],
  ...rows.filter(({ state }) => state === 'to fix').map((row) => textsOf(kind, row).concat(row.errors.join(' '))),
]

/** Saves the sheet of temporary passwords, to be handed to the cashiers. */
export const savePasswords = (kind: ImportKind, rows: readonly ImportRow[]) =>
  saveCsv(`${kind.key}-passwords.csv`, [
    [...titlesOf(kind), 'Temporary password'],
    ...rows.flatMap((row) => (row.password ? [[...textsOf(kind, row), row.password]] : [])),
  ])

const saveCsv = (name: string, lines: string[][]) =>
  saveFileWithToast(new File([BYTE_ORDER_MARK + toCsv(lines)], name, { type: 'text/csv;charset=utf-8' }))

const titlesOf = ({ columns }: ImportKind) => columns.map(({ title }) => title)

const textsOf = ({ columns }: ImportKind, { cells }: ReadRow) => columns.map(({ key }) => cells[key] ?? '')
