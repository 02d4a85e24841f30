import type { FieldIssue } from '../../../src/contract/envelope.ts'
import { type Refusals, type Row, takenIssue } from './Batch.ts'

/** A field of which no two records may have the same. */
export interface UniqueField<R> {
  path: string
  valueOf: (record: R) => string
  /** Values that somebody has already. */
  taken: ReadonlySet<string>
}

/**
 * What is against these rows: what `refuse` says, values that somebody has, and those that an earlier row of the batch has. A row
 * that is refused takes nothing from the rows below it.
 */
export function refuseDuplicates<R>(
  rows: readonly Row<R>[],
  uniques: readonly UniqueField<R>[],
  refuse: (record: R) => FieldIssue[],
): Refusals {
  const refusals: Refusals = new Map()
  const claimed = uniques.map((unique) => new Set(unique.taken))
  for (const { number, record } of rows) {
    const isTaken = (unique: UniqueField<R>, index: number) => claimed[index]!.has(unique.valueOf(record))
    const fields = [...uniques.filter(isTaken).map(({ path }) => takenIssue(path)), ...refuse(record)]
    if (fields.length > 0) refusals.set(number, fields)
    else uniques.forEach(({ valueOf }, index) => claimed[index]!.add(valueOf(record)))
  }
  return refusals
}
