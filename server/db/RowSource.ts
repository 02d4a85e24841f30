import type { SQLWrapper } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'

/** A row as COPY writes it: every column as text. */
export type TextRow = string[]

/** Rows too many to be held at once. */
export interface RowSource {
  /** The statement that gives every row. */
  all(db: Db): SQLWrapper
}

export interface FirstRows {
  first(db: Db, limit: number): Promise<TextRow[]>
}

/** What came from the driver as rows of text; what is not there is empty. */
export const toTextRow = (row: Record<string, unknown>): TextRow =>
  Object.values(row as Record<string, string | null>).map((column) => column ?? '')
