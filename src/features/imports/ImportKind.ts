import type { FieldIssue } from '../../contract/envelope.ts'
import type { CheckedRow, ImportedPosRow, ImportedRow } from '../../contract/imports.ts'

export interface ImportColumn {
  /** The path of the field in the contract. */
  key: string
  title: string
  /** Other headers that mean it. */
  synonyms?: readonly string[]
  /** A file without it is refused. */
  needed: boolean
  /** In rem. */
  width: number
  /** No two rows may have the same. */
  unique?: true
  /** Free text: a formula in it gets a warning. */
  prose?: true
  /** Removed from this device once the server has it. */
  secret?: true
  /** A calendar day, which spreadsheets write in many ways. */
  day?: true
}

/** What was typed, by the key of its column. */
export type Cells = Readonly<Record<string, string>>
/** Messages about cells, by the key of their column. */
export type Notes = Readonly<Record<string, string>>

export interface ValidatedCells<R> {
  /** As the contract takes it; undefined while there is an error. */
  record: R | undefined
  errors: Notes
  /** They do not keep the row from being imported. */
  warnings: Notes
}

interface NumberedRecord<R> {
  number: number
  record: R
}
/** What the server answers for a row that is imported. */
export type Outcome = ImportedRow | ImportedPosRow
export type CheckOutcome = CheckedRow

/** What can be imported from a file: how its rows are read, validated and sent. */
export interface ImportKind<R = unknown> {
  /** Of the draft, and of the files that are written. */
  key: string
  title: string
  noun: { one: string; many: string }
  /** Under the title: what becomes of a row. */
  note: string
  columns: readonly ImportColumn[]
  validate(cells: Cells): ValidatedCells<R>
  /** Throws ApiError. */
  check(importId: string, rows: readonly NumberedRecord<R>[]): Promise<readonly CheckOutcome[]>
  /** Throws ApiError. */
  commit(importId: string, rows: readonly NumberedRecord<R>[]): Promise<readonly Outcome[]>
  /** The server answers each row with a temporary password. */
  givesPasswords: boolean
}

/** The column that shows an error of a field: its own, or the first. */
export const columnOf = ({ columns }: Pick<ImportKind, 'columns'>, { path }: Pick<FieldIssue, 'path'>): ImportColumn =>
  columns.find(({ key }) => key === path) ?? columns[0]!
