/** One act on many rows, one call each. */
export interface BulkAction<Row> {
  /** The button and, with the number, the question: "Deactivate". */
  label: string
  /** While it runs, and once it is done with a row: "Deactivating", "Deactivated". */
  doing: string
  done: string
  /** What it means, for the question. */
  consequence: string
  destructive: boolean
  /** Why this row is left out; undefined if it takes part. */
  refuses: (row: Row) => string | undefined
  run: (row: Row) => Promise<unknown>
}

export interface BulkResult {
  key: string
  name: string
  /** Undefined once it worked. */
  trouble: string | undefined
}
