import type { FieldIssue } from '../../contract/envelope.ts'
import type { CheckedRow, ImportedPosRow, ImportedRow } from '../../contract/imports.ts'

export interface ImportColumn {
  /** The path of the field in the contract. */
  key: string
  title: string
  /** Other headers that mean it. */
  synonyms?: readonly string[]
  /** Without it a file cannot be read. */
  needed: boolean
  /** Of its cells, in rem. */
  width: number
  /** No two rows may have the same. */
  unique?: true
  /** Free text, where a formula is out of place. */
  prose?: true
  /** Never kept longer than it is needed. */
  secret?: true
  /** In a spreadsheet it is often written otherwise. */
  read?: (cell: string) => string
}

/** What was typed, by the key of its column. */
export type Cells = Readonly<Record<string, string>>
/** Words about cells, by the key of their column. */
export type Notes = Readonly<Record<string, string>>

export interface JudgedCells<R> {
  /** As the contract takes it; undefined while there is an error. */
  record: R | undefined
  errors: Notes
  /** Worth a look, and no obstacle. */
  warnings: Notes
}

interface NumberedRecord<R> {
  number: number
  record: R
}
/** What the server answers for a row that is imported. */
export type Outcome = ImportedRow | ImportedPosRow
export type CheckOutcome = CheckedRow

/** What can be imported from a file: how its rows are read, judged and sent. */
export interface ImportKind<R = unknown> {
  /** Of the draft, and of the files that are written. */
  key: string
  title: string
  noun: { one: string; many: string }
  /** Under the title: what becomes of a row. */
  note: string
  columns: readonly ImportColumn[]
  judge(cells: Cells): JudgedCells<R>
  /** Throws ApiError. */
  check(importId: string, rows: readonly NumberedRecord<R>[]): Promise<readonly CheckOutcome[]>
  /** Throws ApiError. */
  commit(importId: string, rows: readonly NumberedRecord<R>[]): Promise<readonly Outcome[]>
  /** Rows are answered with temporary passwords. */
  givesPasswords: boolean
}

/** The column that a complaint about a field stands at: its own, or the first. */
export const columnOf = ({ columns }: Pick<ImportKind, 'columns'>, { path }: Pick<FieldIssue, 'path'>): ImportColumn =>
  columns.find(({ key }) => key === path) ?? columns[0]!
