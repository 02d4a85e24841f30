import * as v from 'valibot'
import { isFormula } from '../../domain/csv.ts'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { ImportRow } from './ImportDraft.ts'
import type { ImportColumn, ImportKind, Notes, ValidatedCells } from './ImportKind.ts'

export interface ValidatedRow extends ValidatedCells<unknown> {
  row: ImportRow
}

/** Validates all rows of an import. The results of rows that did not change are remembered: there may be 5,000 of them. */
export function rowValidator(kind: ImportKind): (rows: readonly ImportRow[]) => readonly ValidatedRow[] {
  const known = new WeakMap<ImportRow, ValidatedCells<unknown>>()
  const alone = (row: ImportRow) => {
    const before = known.get(row)
    if (before) return before
    const validated = validateAlone(kind, row)
    known.set(row, validated)
    return validated
  }
  return (rows) => {
    const twins = duplicatesIn(kind.columns, rows)
    return rows.map((row) => {
      const validated = alone(row)
      const doubled = row.stage === 'open' ? twins(row) : undefined
      if (!doubled) return Object.assign({ row }, validated)
      return { row, record: undefined, errors: { ...doubled, ...validated.errors }, warnings: validated.warnings }
    })
  }
}

function validateAlone(kind: ImportKind, { cells, issues, stage }: ImportRow): ValidatedCells<unknown> {
  if (stage === 'created') return { record: undefined, errors: {}, warnings: {} }
  const { record, errors, warnings } = kind.validate(cells)
  const all = { ...issues, ...errors }
  const named = Object.entries(all).map(([key, words]) => [key, errorSentence(titleOf(kind, key), words)])
  const odd = kind.columns.flatMap(({ key, prose }) => {
    const warning = prose && oddness(cells[key] ?? '')
    return warning ? [[key, warning] as const] : []
  })
  return {
    record: named.length === 0 ? record : undefined,
    errors: Object.fromEntries(named),
    warnings: { ...Object.fromEntries(odd), ...warnings },
  }
}

/** What spreadsheets leave where something else was typed, and what they would run. */
const ODD: readonly [RegExp, string][] = [
  [/^#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|ERROR!|#+)$/i, 'An error of a spreadsheet.'],
  [/^\d(?:[.,]\d+)?E\+?\d+$/i, 'A number that a spreadsheet has shortened?'],
  [
    /^(?:\d{1,2}-(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-\d\d)$/i,
    'A date that a spreadsheet has made?',
  ],
]

const oddness = (text: string): string | undefined =>
  isFormula(text) ? 'Looks like a formula. It is read as text.' : ODD.find(([pattern]) => pattern.test(text))?.[1]

const titleOf = ({ columns }: ImportKind, key: string) => columns.find((column) => column.key === key)?.title ?? key

/** Values that must be unique and stand in two rows. Both rows get the error. */
function duplicatesIn(columns: readonly ImportColumn[], rows: readonly ImportRow[]) {
  const uniques = columns.filter(({ unique }) => unique)
  const holders = new Map<string, ImportRow[]>()
  const keyOf = ({ key }: ImportColumn, { cells }: ImportRow) => `${key} ${(cells[key] ?? '').toLowerCase()}`
  for (const column of uniques) {
    for (const row of rows) {
      if ((row.cells[column.key] ?? '') === '') continue
      const key = keyOf(column, row)
      const same = holders.get(key)
      if (same) same.push(row)
      else holders.set(key, [row])
    }
  }
  return (row: ImportRow): Notes | undefined => {
    const found = uniques.flatMap((column) => {
      const other = holders.get(keyOf(column, row))?.find((one) => one !== row)
      return other ? [[column.key, `Also in row ${other.number}.`] as const] : []
    })
    return found.length === 0 ? undefined : Object.fromEntries(found)
  }
}

export interface ImportCounts {
  /** Without an error that is known here. */
  ready: number
  /** Of those, not checked by the server as they are now. */
  unchecked: number
  toFix: number
  /** Sent, and not answered. */
  sent: number
  created: number
}

export function importCounts(validated: readonly ValidatedRow[]): ImportCounts {
  const counts = { ready: 0, unchecked: 0, toFix: 0, sent: 0, created: 0 }
  for (const { row, record } of validated) {
    if (row.stage !== 'open') counts[row.stage] += 1
    else if (!record) counts.toFix += 1
    else {
      counts.ready += 1
      if (!row.checked) counts.unchecked += 1
    }
  }
  return counts
}

/** Validates one row by the contract's own rules. Of several errors of a field the first is shown. */
export function validateBySchema<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  warnings: Notes,
): ValidatedCells<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return { record: parsed.output, errors: {}, warnings }
  const errors: Record<string, string> = {}
  for (const issue of parsed.issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return { record: undefined, errors, warnings }
}
