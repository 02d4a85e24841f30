import * as v from 'valibot'
import { isFormula } from '../../domain/csv.ts'
import { errorSentence } from '../../ui/form/formErrors.ts'
import type { ImportRow } from './ImportDraft.ts'
import type { ImportColumn, ImportKind, JudgedCells, Notes } from './ImportKind.ts'

export interface JudgedRow extends JudgedCells<unknown> {
  row: ImportRow
}

/** How each row of an import stands. A row that did not change is not judged again. */
export type Judge = (rows: readonly ImportRow[]) => readonly JudgedRow[]

export function judgeFor(kind: ImportKind): Judge {
  const known = new WeakMap<ImportRow, JudgedCells<unknown>>()
  const alone = (row: ImportRow) => {
    const before = known.get(row)
    if (before) return before
    const judged = judgeAlone(kind, row)
    known.set(row, judged)
    return judged
  }
  return (rows) => {
    const twins = duplicatesIn(kind.columns, rows)
    return rows.map((row) => {
      const judged = alone(row)
      const doubled = row.stage === 'open' ? twins(row) : undefined
      if (!doubled) return Object.assign({ row }, judged)
      return { row, record: undefined, errors: { ...doubled, ...judged.errors }, warnings: judged.warnings }
    })
  }
}

function judgeAlone(kind: ImportKind, { cells, issues, stage }: ImportRow): JudgedCells<unknown> {
  if (stage === 'created') return { record: undefined, errors: {}, warnings: {} }
  const { record, errors, warnings } = kind.judge(cells)
  const all = { ...issues, ...errors }
  const named = Object.entries(all).map(([key, words]) => [key, errorSentence(titleOf(kind, key), words)])
  const odd = kind.columns
    .filter(({ key, prose }) => prose && isFormula(cells[key] ?? ''))
    .map(({ key }) => [key, FORMULA])
  return {
    record: named.length === 0 ? record : undefined,
    errors: Object.fromEntries(named),
    warnings: { ...Object.fromEntries(odd), ...warnings },
  }
}

const FORMULA = 'Looks like a formula. It is taken as text.'

const titleOf = ({ columns }: ImportKind, key: string) => columns.find((column) => column.key === key)?.title ?? key

/** What is the same in another row, where no two may have it: both of them say so. */
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
  /** Could be created, as far as is known here. */
  ready: number
  /** Of those, not looked at by the server as they are now. */
  unchecked: number
  toFix: number
  /** Asked for, without an answer. */
  sent: number
  created: number
}

export function importCounts(judged: readonly JudgedRow[]): ImportCounts {
  const counts = { ready: 0, unchecked: 0, toFix: 0, sent: 0, created: 0 }
  for (const { row, record } of judged) {
    if (row.stage !== 'open') counts[row.stage] += 1
    else if (!record) counts.toFix += 1
    else {
      counts.ready += 1
      if (!row.checked) counts.unchecked += 1
    }
  }
  return counts
}

/** The contract's own rules over one row; the first complaint about a field is the one that is shown. */
export function judgeBySchema<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  warnings: Notes,
): JudgedCells<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return { record: parsed.output, errors: {}, warnings }
  const errors: Record<string, string> = {}
  for (const issue of parsed.issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return { record: undefined, errors, warnings }
}
