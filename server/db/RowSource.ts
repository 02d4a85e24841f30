import type { SQLWrapper } from 'drizzle-orm'
import type { Db } from './Database.ts'

/** A row as the database writes it: every column as text, so that both engines say the same. */
export type TextRow = string[]

/** Rows too many to be held at once, in the ways an engine may be asked for them. Both give the same rows in the same order. */
export interface RowSource {
  /** Every row, by one statement. */
  all(db: Db): SQLWrapper
  /** Every row, by one short statement after the other. */
  batches(db: Db): AsyncGenerator<TextRow[], void, void>
}

export interface FirstRows {
  first(db: Db, limit: number): Promise<TextRow[]>
}

/** What came from the driver as rows of text; what is not there is empty. */
export const textOf = (row: Record<string, unknown>): TextRow =>
  Object.values(row as Record<string, string | null>).map((column) => column ?? '')
