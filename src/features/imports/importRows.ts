import { ApiError } from '../../api/ApiError.ts'
import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import type { ImportAnswer } from '../../contract/imports.ts'
import { LIMITS } from '../../contract/limits.ts'
import { BYTE_ORDER_MARK, isFormula, toCsv } from '../../domain/csv.ts'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { ImportColumn, ImportKind, Notes } from './importKinds.ts'
import { ERROR_TITLE, type ReadRow } from './readImportFile.ts'

/** What the server last said of rows, by their numbers; `sent`: it was asked to create one and has not answered. */
export type Told = readonly (readonly [number, ImportAnswer | 'sent'])[]
export type Answers = ReadonlyMap<number, ImportAnswer | 'sent'>

export interface ImportRow extends ReadRow {
  /** As the contract takes it; undefined while something is against the row. */
  record: unknown
  /** What to correct, a sentence for each cell. */
  errors: readonly string[]
  /** What to look at. */
  warnings: readonly string[]
  state: 'unchecked' | 'checked' | 'to fix' | 'sent' | 'created' | 'existing'
  password?: string | null | undefined
}

const WIDE = 'The row has more cells than the header: look whether a comma moved them.'

/** The rows of a file as they are judged on this device, before the server has said anything. */
export function validateRows(kind: ImportKind, rows: readonly ReadRow[]): readonly ImportRow[] {
  const twinOf = twinsIn(kind.columns, rows)
  return rows.map((row) => {
    const { record, errors, warnings } = kind.validate(row.cells)
    const against = sentences(kind, { ...twinOf(row), ...errors })
    if (row.wide) against.unshift(WIDE)
    const isFine = against.length === 0
    return {
      ...row,
      record: isFine ? record : undefined,
      errors: against,
      warnings: sentences(kind, { ...oddCells(kind, row), ...warnings }),
      state: isFine ? 'unchecked' : 'to fix',
    }
  })
}

/** The same rows, with what the server has said since. */
export const withAnswers = (kind: ImportKind, rows: readonly ImportRow[], answers: Answers): readonly ImportRow[] =>
  rows.map((row) => {
    const answer = answers.get(row.number)
    if (!answer || !row.record) return row
    if (answer === 'sent') return { ...row, state: 'sent' }
    if (answer.outcome === 'ok') return { ...row, state: 'checked' }
    if (answer.outcome !== 'refused') return { ...row, state: answer.outcome, password: answer.temporary_password }
    const errors = sentences(kind, Object.fromEntries(answer.fields.map(({ path, message }) => [path, message])))
    return { ...row, record: undefined, errors, state: 'to fix' }
  })

/** Each with the title of its column, which a list does not show otherwise. */
const sentences = ({ columns }: ImportKind, notes: Notes): string[] =>
  Object.entries(notes).map(([key, words]) => {
    const title = columns.find((column) => column.key === key)?.title
    const sentence = errorSentence(title ?? key, words)
    return title === undefined || sentence.startsWith(title) ? sentence : `${title}: ${sentence}`
  })

/** Values that must be unique and stand in two rows. Both rows get the error. */
function twinsIn(columns: readonly ImportColumn[], rows: readonly ReadRow[]): (row: ReadRow) => Notes {
  const keys = columns.filter(({ unique }) => unique).map(({ key }) => key)
  const idOf = (key: string, { cells }: ReadRow) => cells[key] && `${key} ${cells[key].toLowerCase()}`
  const holders = new Map<string | undefined, number[]>()
  for (const key of keys) {
    for (const row of rows) {
      const id = idOf(key, row)
      holders.set(id, [...(holders.get(id)?.slice(0, 1) ?? []), row.number])
    }
  }
  const otherThan = (row: ReadRow, id: string) => holders.get(id)?.find((number) => number !== row.number)
  return (row) =>
    Object.fromEntries(
      keys.flatMap((key) => {
        const id = idOf(key, row)
        const other = id && otherThan(row, id)
        return other ? [[key, `Also in row ${other}.`]] : []
      }),
    )
}

/** What spreadsheets leave in the place of what was typed. */
const ODD: readonly [RegExp, string][] = [
  [/^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|#+)$/i, 'An error of a spreadsheet.'],
  [/^\d(?:[.,]\d+)?E\+?\d+$/i, 'A number that a spreadsheet has shortened?'],
  [
    /^(?:\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d\d)$/i,
    'A date that a spreadsheet has made?',
  ],
]

const oddCells = ({ columns }: ImportKind, { cells }: ReadRow): Notes =>
  Object.fromEntries(
    columns.flatMap(({ key, type }) => {
      const text = cells[key] ?? ''
      if (type) return []
      if (isFormula(text)) return [[key, 'Looks like a formula. It is read as text.']]
      const odd = ODD.find(([pattern]) => pattern.test(text))
      return odd ? [[key, odd[1]]] : []
    }),
  )

/**
 * Asks the server about these rows, or to create them, some at a time, until all are answered or somebody stops it. Throws ApiError
 * when an answer is lost: the rows may be sent again.
 */
export async function sendRows(
  kind: ImportKind,
  dry_run: boolean,
  rows: readonly ImportRow[],
  tell: (told: Told, answered: number) => void,
  isStopped: () => boolean,
): Promise<void> {
  let left = rows
  while (left.length > 0 && !isStopped()) {
    const batch = left.slice(0, LIMITS.importBatch)
    if (!dry_run)
      tell(
        batch.map(({ number }) => [number, 'sent'] as const),
        0,
      )
    const sent = { dry_run, rows: batch.map(({ number, record }) => ({ number, record })) }
    const { rows: answered } = await kind.send(sent).catch((error: unknown) => refusedRows(batch, error))
    const lost = new Set(batch.filter(({ state }) => state === 'sent').map(({ number }) => number))
    const told = answered.map((answer) => [answer.number, lost.has(answer.number) ? ours(answer) : answer] as const)
    tell(told, told.length)
    const numbers = new Set(answered.map(({ number }) => number))
    left = left.filter(({ number }) => !numbers.has(number))
  }
}

/** What is there after an answer was lost was created by that request. */
const ours = (answer: ImportAnswer): ImportAnswer =>
  answer.outcome === 'existing' ? { ...answer, outcome: 'created' } : answer

/** A server with other rules than this page takes no row of the batch, and names those that it refuses; the others go again. */
function refusedRows(batch: readonly ImportRow[], error: unknown): { rows: ImportAnswer[] } {
  const fields = error instanceof ApiError && error.code === 'VALIDATION_FAILED' ? error.fields : []
  const rows = batch.flatMap(({ number }, index) => {
    const start = `rows.${index}.record.`
    const own = fields.filter(({ path }) => path.startsWith(start))
    const named = own.map(({ path, rule, message }) => ({ path: path.slice(start.length), rule, message }))
    return named.length > 0 ? [{ number, outcome: 'refused' as const, fields: named }] : []
  })
  if (rows.length === 0) throw error
  return { rows }
}

/** The header alone: somebody would import an example row. */
export const saveTemplate = (kind: ImportKind) => saveCsv(`${kind.key}-template.csv`, [titlesOf(kind)])

/** Rows that were not imported, with the reasons in a column of their own, to be corrected in a spreadsheet and chosen again. */
export const saveFailedRows = (kind: ImportKind, rows: readonly ImportRow[]) =>
  saveCsv(`${kind.key}-not-imported.csv`, failedLines(kind, rows))

export const failedLines = (kind: ImportKind, rows: readonly ImportRow[]): string[][] => [
  [...titlesOf(kind), ERROR_TITLE],
  ...rows.filter(({ state }) => state === 'to fix').map((row) => textsOf(kind, row).concat(row.errors.join(' '))),
]

/** The sheet of temporary passwords, for whoever hands them to the cashiers. */
export const savePasswords = (kind: ImportKind, rows: readonly ImportRow[]) =>
  saveCsv(`${kind.key}-passwords.csv`, [
    [...titlesOf(kind), 'Temporary password'],
    ...rows.flatMap((row) => (row.password ? [[...textsOf(kind, row), row.password]] : [])),
  ])

const saveCsv = (name: string, lines: string[][]) =>
  saveFileWithToast(new File([BYTE_ORDER_MARK + toCsv(lines)], name, { type: 'text/csv;charset=utf-8' }))

const titlesOf = ({ columns }: ImportKind) => columns.map(({ title }) => title)

const textsOf = ({ columns }: ImportKind, { cells }: ReadRow) => columns.map(({ key }) => cells[key] ?? '')
